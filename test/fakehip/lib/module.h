/* Modules and their functions. */
#ifndef FAKEHIP_MODULE_H
#define FAKEHIP_MODULE_H

#include "../kernel.h"
#include "image.h"
#include "object.h"

struct module {
  struct object object;
  struct image image;
  int file;           /* the shared object's, in memory */
  void *library;      /* NULL: a code object for AMD GPUs */
  char **amd_kernels; /* its kernels, which do nothing */
  pthread_mutex_t lock;
  struct function_object *functions; /* under lock: those that were asked for */
  struct variable *variables;        /* the same */
};

struct function_object {
  struct object object;
  struct module *
      module; /* with a reference of what holds the function: work of streams does */
  struct function_object *next;
  const char *name;            /* lives as long as the library */
  const struct kernel *kernel; /* NULL: does nothing */
};

#endif
