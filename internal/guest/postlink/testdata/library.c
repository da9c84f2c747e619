/* The C side of a library that relocates its Go data itself. */
#include "relocate.c"

#define API __attribute__((visibility("default")))
#define HIDDEN __attribute__((visibility("hidden")))

extern const volatile uintptr_t types[2048] __asm__("runtime.types") HIDDEN;
extern const volatile uintptr_t data[2] __asm__("runtime.data") HIDDEN;

static const char *const words[] = {"of", "C"};
static const char *const *volatile at = words;
#ifdef FOREIGN /* has a variable before the end of Go's */
__asm__(".pushsection .noptrdata, \"aw\"\n"
        ".type intruder, @object\n"
        ".size intruder, 8\n"
        "intruder: .quad 0\n"
        "runtime.enoptrdata:\n"
        ".popsection");
#endif

API const char *word(int i) { return at[i]; }

API const char *apply(void) { return relocate(); }

/* How many of the pointers are there. */
API int relocated(void) {
  int n = data[0] == 7 && data[1] > (uintptr_t)__ehdr_start;
  for (int i = 0; i < 2048; i++)
    n += types[i] == data[1] && types[i] > (uintptr_t)__ehdr_start;
  return n;
}

API const volatile void *read_only(void) { return &types[1024]; }
