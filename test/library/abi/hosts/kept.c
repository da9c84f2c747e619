/* Loads modules in turn, unloads them and loses one, as the entry layer does, and prints
 * how often Go would have been asked. internal/fastpath/lookup.c by itself. */

#include "../../../../internal/fastpath/lookup.c"

#include <stdio.h>

__thread struct thread *this_thread;
static struct thread one, two;
struct thread *threads_all(void) { return &one; }

static char images[64][16]; /* what lies at an address of the program */
static int asked, unloaded;

static bool holds(uintptr_t address, uintptr_t copy, size_t n) {
  return memcmp((void *)address, (void *)copy, n) == 0;
}

/* Modules are numbered by what their image says. */
static uintptr_t load(int i) {
  static char copies[256][16];
  uintptr_t m = lookup_module((uintptr_t)images[i], no_compiler, holds);
  if (m != 0)
    return m;
  asked++;
  m = 1000 + atoi(images[i]);
  memcpy(copies[m - 1000], images[i], 16);
  uint64_t losses = lookup_losses();
  struct loaded_image image = {(uintptr_t)copies[m - 1000], 16};
  unloaded += lookup_store_module(losses, (uintptr_t)images[i], no_compiler,
                                  image, m) != 0;
  return m;
}

static void unload(uintptr_t m) {
  if (lookup_keep_module(m))
    return;
  while (lookup_release_module(m))
    unloaded++;
  unloaded++;
}

/* Loads and unloads the first n images in turn. Prints how often Go was asked after the
 * first turn. */
static void turns(int n) {
  int wrong = 0;
  for (int turn = 0; turn < 4; turn++) {
    if (turn == 1)
      asked = unloaded = 0;
    for (int i = 0; i < n; i++) {
      uintptr_t m = load(i);
      wrong += m != (uintptr_t)(1000 + atoi(images[i]));
      unload(m);
    }
  }
  printf("%d in turn: asked %d, unloaded %d, wrong %d\n", n, asked, unloaded,
         wrong);
}

int main(void) {
  this_thread = &one;
  one.next = &two;
  lookup_enable(true);
  for (int i = 0; i < 64; i++)
    snprintf(images[i], sizeof images[i], "%d", i);
  turns(1);
  turns(2);
  turns(module_refs);
  turns(module_refs + 1);

  turns(2);
  strcpy(images[0], "100"); /* other bytes at the address */
  printf("changed: %d\n", (int)load(0));
  unload(1100);

  /* Another thread gives the reference back; then it is this thread's again. */
  uintptr_t m = load(1);
  this_thread = &two;
  asked = unloaded = 0;
  unload(m);
  this_thread = &one;
  printf("by another thread: asked %d, unloaded %d, again %d\n", asked,
         unloaded, load(1) == m && asked == 0);
  unload(m);
  unload(m); /* once too often: Go has to know all references */
  printf("once too often: unloaded %d\n", unloaded);

  /* Lost: no thread gives it out again, whichever holds the reference. */
  turns(2);
  m = load(1);
  printf("lost: comparing %d", lookup_lose_module(m));
  asked = 0;
  load(1);
  unload(m);
  lookup_lose_module(m);
  load(1);
  printf(", asked %d\n", asked);
  uint64_t before = lookup_losses();
  lookup_lose_module(1);
  lookup_lose_module(m);
  struct loaded_image image = {(uintptr_t)"1", 2};
  lookup_store_module(before, (uintptr_t)images[1], no_compiler, image, m);
  unload(m);
  printf("lost while it was loaded: noted %d\n",
         lookup_module((uintptr_t)images[1], no_compiler, holds) != 0);
  return 0;
}
