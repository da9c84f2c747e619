//go:build race && invariants

/* C under Go's race detector. The compiler's calls for -fsanitize=thread, renamed to judge_*
 * by the script that compiles internal/fastpath, go on to the detector that Go has linked,
 * as calls of the goroutine that the C code runs for. So one detector sees both languages, and
 * what orders their accesses is what orders them in the library: no more.
 *
 * Go's runtime would order all calls of C with each other (racecgosync); here it does not.
 * The linker gives __wrap_X for X of the detector where Go calls it. */
#include "tsan.h"

#include "schedule.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*---- The detector: LLVM's, built for Go -------------------------------------*/

typedef uintptr_t uptr;
struct detector_thread;
struct detector_processor;

void __tsan_proc_create(struct detector_processor **p);
void __tsan_func_enter(struct detector_thread *t, uptr pc);
void __tsan_func_exit(struct detector_thread *t);
void __tsan_read_range(struct detector_thread *t, uptr at, uptr n, uptr pc);
void __tsan_write_range(struct detector_thread *t, uptr at, uptr n, uptr pc);
void __tsan_release(struct detector_thread *t, uptr at);
void __real___tsan_acquire(struct detector_thread *t, uptr at);
void __real___tsan_release_merge(struct detector_thread *t, uptr at);
void __real___tsan_map_shadow(uptr at, uptr n);
void __real___tsan_init(struct detector_thread **t,
                        struct detector_processor **p,
                        void (*ask_go)(uptr what, void *arg));

/* Of C++; Go's functions have no accesses that are atomic and order nothing. */
enum { access_write = 0, access_read = 1, access_atomic = 2 };
void access_memory(struct detector_thread *t, uptr pc, uptr at, uptr n,
                   uptr kind) __asm__("_ZN6__tsan12MemoryAccessEPNS_"
                                      "11ThreadStateEmmmm");
void ignore_begin(struct detector_thread *t, uptr pc) __asm__(
    "_ZN6__tsan17ThreadIgnoreBeginEPNS_11ThreadStateEm");
void ignore_end(struct detector_thread *t) __asm__(
    "_ZN6__tsan15ThreadIgnoreEndEPNS_11ThreadStateE");
void ignore_sync_begin(struct detector_thread *t, uptr pc) __asm__(
    "_ZN6__tsan21ThreadIgnoreSyncBeginEPNS_11ThreadStateEm");
void ignore_sync_end(struct detector_thread *t) __asm__(
    "_ZN6__tsan19ThreadIgnoreSyncEndEPNS_11ThreadStateE");

/* me is the detector's state of the goroutine that the thread runs, as of the latest change
 * between Go and C; ordered_by is the address by which Go's runtime orders that change. */
static __thread struct detector_thread *me;
static __thread uptr ordered_by;
static uptr c_calls; /* &racecgosync; 0: not known yet */

void __wrap___tsan_release_merge(struct detector_thread *t, uptr at) {
  if (at == c_calls || c_calls == 0)
    me = t, ordered_by = at;
  if (at != c_calls)
    __real___tsan_release_merge(t, at);
}

void __wrap___tsan_acquire(struct detector_thread *t, uptr at) {
  if (at == c_calls)
    me = t;
  else
    __real___tsan_acquire(t, at);
}

void judge_start(void) { c_calls = ordered_by; }

void judge_quiet(bool on) {
  schedule_hold(on);
  if (on) {
    ignore_begin(me, 0);
    ignore_sync_begin(me, 0);
  } else {
    ignore_sync_end(me);
    ignore_end(me);
  }
}

/* A thread in C has none of Go's processors. */
static void (*go_answers)(uptr what, void *arg);

struct question { /* what lies at an address of code */
  uptr pc;
  const char *function, *file;
  uptr line, offset, known;
};

static void answer(uptr what, void *arg) {
  static __thread struct detector_processor *p;
  if (what == 0) {
    if (p == NULL)
      __tsan_proc_create(&p);
    *(struct detector_processor **)arg = p;
    return;
  }
  uptr pc = what == 1 ? ((struct question *)arg)->pc : 0;
  go_answers(what, arg);
  if (what == 1 && ((struct question *)arg)->line == 0) {
    static char names[256][32]; /* a report is printed at once */
    static unsigned n;
    char *name = names[__atomic_fetch_add(&n, 1, __ATOMIC_RELAXED) % 256];
    snprintf(name, sizeof names[0], "C:%#lx", pc - 1);
    ((struct question *)arg)->function = name;
  }
}

void __wrap___tsan_init(struct detector_thread **t,
                        struct detector_processor **p,
                        void (*ask_go)(uptr what, void *arg)) {
  go_answers = ask_go;
  __real___tsan_init(t, p, answer);
}

/* The detector knows the memory that Go names: its data, which comes first, and its heap.
 * The first is to be all data of the program. */
extern char __data_start, _end;
static uptr data_begin, data_end;
enum { page = 1 << 16 };
static const uptr go_heap = 0xc000000000, go_heap_end = 0xe000000000;

void __wrap___tsan_map_shadow(uptr at, uptr n) {
  if (data_end == 0) {
    uptr begin = (uptr)&__data_start, end = (uptr)&_end;
    data_begin = (begin < at ? begin : at) & ~(uptr)(page - 1);
    data_end = ((end > at + n ? end : at + n) + page - 1) & ~(uptr)(page - 1);
    at = data_begin, n = data_end - data_begin;
  }
  __real___tsan_map_shadow(at, n);
}

static bool seen(uptr at) {
  return me != NULL && ((at >= data_begin && at < data_end) ||
                        (at >= go_heap && at < go_heap_end));
}

int judge_fault;

/*---- The compiler's calls ---------------------------------------------------*/

#define HERE ((uptr)__builtin_return_address(0))

void judge_init(void) {}
void judge_func_entry(uptr pc) {
  if (me != NULL)
    __tsan_func_enter(me, pc);
}
void judge_func_exit(void) {
  if (me != NULL)
    __tsan_func_exit(me);
}

#define ACCESS(name, n, kind)                                                  \
  void judge_##name(uptr at) {                                                 \
    if (seen(at))                                                              \
      access_memory(me, HERE, at, n, kind);                                    \
  }
#define ACCESSES(n)                                                            \
  ACCESS(read##n, n, access_read)                                              \
  ACCESS(write##n, n, access_write)                                            \
  ACCESS(unaligned_read##n, n, access_read)                                    \
  ACCESS(unaligned_write##n, n, access_write)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)

void judge_read_range(uptr at, uptr n) {
  if (seen(at))
    __tsan_read_range(me, at, n, HERE);
}
void judge_write_range(uptr at, uptr n) {
  if (seen(at))
    __tsan_write_range(me, at, n, HERE);
}
void judge_read16(uptr at) {
  if (seen(at))
    __tsan_read_range(me, at, 16, HERE);
}
void judge_write16(uptr at) {
  if (seen(at))
    __tsan_write_range(me, at, 16, HERE);
}

/* The detector learns of an atomic operation and of its order: of a release before the
 * operation, of an acquire after it. It learns nothing of memory that it does not see. */
static bool releases(int order) { return order >= __ATOMIC_RELEASE; }
static bool acquires(int order) {
  return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}
static void before(uptr at, uptr n, int order, uptr kind, uptr pc) {
  schedule_stop();
  if (!seen(at))
    return;
  access_memory(me, pc, at, n, access_atomic | kind);
  if (releases(order) && kind == access_write)
    __real___tsan_release_merge(me, at);
}
static void before_store(uptr at, uptr n, int order, uptr pc) {
  before(at, n, __ATOMIC_RELAXED, access_write, pc);
  if (seen(at) && releases(order)) /* what others released there is over */
    __tsan_release(me, at);
}
static void after(uptr at, int order) {
  if (seen(at) && acquires(order))
    __real___tsan_acquire(me, at);
}

/* A change whose function gives the value before. */
#define CHANGE(bits, name, change)                                             \
  word##bits judge_atomic##bits##_##name(word##bits *at, word##bits v,         \
                                         int order) {                          \
    before((uptr)at, bits / 8, order, access_write, HERE);                     \
    v = change(at, v, __ATOMIC_SEQ_CST);                                       \
    after((uptr)at, order);                                                    \
    return v;                                                                  \
  }

#define ATOMICS(bits)                                                          \
  typedef uint##bits##_t word##bits;                                           \
  word##bits judge_atomic##bits##_load(const word##bits *at, int order) {      \
    before((uptr)at, bits / 8, order, access_read, HERE);                      \
    word##bits v = __atomic_load_n(at, __ATOMIC_SEQ_CST);                      \
    after((uptr)at, order);                                                    \
    return v;                                                                  \
  }                                                                            \
  void judge_atomic##bits##_store(word##bits *at, word##bits v, int order) {   \
    before_store((uptr)at, bits / 8, order, HERE);                             \
    __atomic_store_n(at, v, __ATOMIC_SEQ_CST);                                 \
  }                                                                            \
  CHANGE(bits, exchange, __atomic_exchange_n)                                  \
  CHANGE(bits, fetch_add, __atomic_fetch_add)                                  \
  CHANGE(bits, fetch_sub, __atomic_fetch_sub)                                  \
  CHANGE(bits, fetch_and, __atomic_fetch_and)                                  \
  CHANGE(bits, fetch_or, __atomic_fetch_or)                                    \
  bool judge_atomic##bits##_compare_exchange_strong(                           \
      word##bits *at, word##bits *old, word##bits v, int order, int failed) {  \
    bool same = __atomic_load_n(at, __ATOMIC_SEQ_CST) == *old;                 \
    before((uptr)at, bits / 8, same ? order : failed,                          \
           same ? access_write : access_read, HERE);                           \
    bool ok = __atomic_compare_exchange_n(at, old, v, false, __ATOMIC_SEQ_CST, \
                                          __ATOMIC_SEQ_CST);                   \
    after((uptr)at, ok ? order : failed);                                      \
    return ok;                                                                 \
  }                                                                            \
  bool judge_atomic##bits##_compare_exchange_weak(                             \
      word##bits *at, word##bits *old, word##bits v, int order, int failed) {  \
    return judge_atomic##bits##_compare_exchange_strong(at, old, v, order,     \
                                                        failed);               \
  }
ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)

/*---- The C library's --------------------------------------------------------*/

/* Memory that the detector sees: of the program's data, and used once. */
static char heap[256 << 20] __attribute__((aligned(page)));
static uptr heap_used;

void *judge_aligned_alloc(size_t alignment, size_t bytes) {
  (void)alignment; /* 64 at most */
  uptr at = __atomic_fetch_add(&heap_used, (bytes + 63) & ~(size_t)63,
                               __ATOMIC_RELAXED);
  return at + bytes > sizeof heap ? NULL : heap + at;
}
void *judge_malloc(size_t bytes) { return judge_aligned_alloc(64, bytes); }
void *judge_calloc(size_t n, size_t bytes) { return judge_malloc(n * bytes); }
void judge_free(void *at) { (void)at; }

int judge_pthread_mutex_lock(pthread_mutex_t *m) {
  int status;
  while ((status = pthread_mutex_trylock(m)) == EBUSY)
    schedule_yield();
  if (seen((uptr)m))
    __real___tsan_acquire(me, (uptr)m);
  return status;
}
int judge_pthread_mutex_unlock(pthread_mutex_t *m) {
  if (seen((uptr)m))
    __real___tsan_release_merge(me, (uptr)m);
  return pthread_mutex_unlock(m);
}
int judge_pthread_once(pthread_once_t *once, void (*f)(void)) {
  static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  judge_pthread_mutex_lock(&m);
  int status = pthread_once(once, f);
  judge_pthread_mutex_unlock(&m);
  return status;
}
