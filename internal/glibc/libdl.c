/* Replaces libdl.so.2 while the libraries are linked; see libpthread.c. */
void dladdr(void) {}
void dlclose(void) {}
void dlerror(void) {}
void dlopen(void) {}
void dlsym(void) {}
