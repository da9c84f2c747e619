/* A library that brings a module along, and runs it. */
#include "plugin.c"
#include "saxpy.h"

extern char plugin_blob[];

void plugin_run(void) { run_saxpy(plugin_blob); }
