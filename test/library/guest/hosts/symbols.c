/* A host with functions of its own that carry names which Go's C code uses. It
 * is linked with -rdynamic, so they would take the place of the library's. */
#include "host.h"

#define OWN(name)                                                              \
  __attribute__((visibility("default"))) void name(void);                      \
  void name(void) {                                                            \
    printf("the host's " #name " was called\n");                               \
    fflush(stdout);                                                            \
    _exit(9);                                                                  \
  }
OWN(fatalf)
OWN(crosscall1)
OWN(crosscall2)
OWN(x_cgo_init)
OWN(x_cgo_thread_start)
OWN(x_cgo_callers)
OWN(_cgo_sys_thread_start)
OWN(_cgo_wait_runtime_init_done)
OWN(_cgo_get_context_function)
OWN(_cgo_panic)
OWN(_cgo_topofstack)
OWN(guest_first)
OWN(goStart)
OWN(goStreamCreate)
OWN(image_compare)

int main(int argc, char **argv) {
  load(argc, argv);
  use();
  pthread_t t;
  pthread_create(&t, NULL, use_in_thread, NULL);
  pthread_join(t, NULL);
  printf("done\n");
}
