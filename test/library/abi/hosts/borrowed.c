/* Modules that one thread loads and another one unloads: what is unloaded more
 * often than it was loaded is told, whichever call does it, and nothing else is. */
#include "capture.h"

BLOB(v4, "v4.hsaco");
BLOB(v5, "v5.hsaco");
BLOB(v6, "v6.hsaco");

static void *unload(void *m) {
  mgpuModuleUnload(m);
  return NULL;
}

static void *load_and_unload(void *image) {
  mgpuModuleUnload(mgpuModuleLoad(image, 0));
  return NULL;
}

static void on_another_thread(void *(*fn)(void *), void *arg) {
  pthread_t t;
  pthread_create(&t, NULL, fn, arg);
  pthread_join(t, NULL);
}

/* A thread that lives on beside this one, so that it does not take over what this
 * one keeps, and this one not what it does. */
static pthread_barrier_t turn;
static void *image, *module;

static void *beside(void *arg) {
  for (;;) {
    pthread_barrier_wait(&turn);
    module = mgpuModuleLoad(image, 0);
    pthread_barrier_wait(&turn);
  }
  return arg;
}

static void *loaded_beside(void *blob) {
  image = blob;
  pthread_barrier_wait(&turn);
  pthread_barrier_wait(&turn);
  return module;
}

/* Loads and unloads, so that later loads are of an image that is known. */
static void *loaded_before(void *blob) {
  for (int i = 0; i < 3; i++)
    mgpuModuleUnload(mgpuModuleLoad(blob, 0));
  void *m = mgpuModuleLoad(blob, 0);
  if (mgpuModuleGetFunction(m, "sizes") == NULL)
    printf("lost\n");
  return m;
}

int main(void) {
  pthread_t t;
  valid();

  void *m = loaded_before(v5);
  VOID_CASE("fine: by another", on_another_thread(unload, m));
  VOID_CASE("again by the first", mgpuModuleUnload(m));

  m = loaded_before(v5);
  VOID_CASE("fine: afterwards", mgpuModuleUnload(m));

  m = loaded_before(v6);
  void *second = mgpuModuleLoad(v6, 0), *third = mgpuModuleLoad(v6, 0);
  VOID_CASE("fine: three loads", {
    on_another_thread(unload, m);
    mgpuModuleUnload(second);
    on_another_thread(load_and_unload, v6);
    on_another_thread(unload, third);
  });
  VOID_CASE("a fourth unload", on_another_thread(unload, m));

  m = loaded_before(v4);
  VOID_CASE("fine: by the first", mgpuModuleUnload(m));
  VOID_CASE("again by another", on_another_thread(unload, m));

  /* The other thread has it, and this one, which does not, unloads it. */
  pthread_barrier_init(&turn, NULL, 2);
  pthread_create(&t, NULL, beside, NULL);
  m = loaded_before(v4);
  mgpuModuleUnload(m);
  VOID_CASE("fine: another one's", {
    if (loaded_beside(v4) != m)
      printf("another module\n");
    mgpuModuleUnload(m);
  });
  VOID_CASE("fine: and one's own", {
    mgpuModuleUnload(loaded_beside(v4));
    mgpuModuleUnload(mgpuModuleLoad(v4, 0));
    m = loaded_beside(v4);
    second = mgpuModuleLoad(v4, 0);
    if (second == m)
      printf("one module for two\n");
    mgpuModuleUnload(second);
    mgpuModuleUnload(m);
  });
}
