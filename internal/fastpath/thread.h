/* Counters of calls, and what else belongs to one thread. */
#ifndef MGPU_FASTPATH_THREAD_H
#define MGPU_FASTPATH_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The functions of the ABI, by the numbers that Go has for them too. */
enum call {
#define MGPU_CALL(name, kind) call_##name,
#include "mgpu_calls.def"
#undef MGPU_CALL
  call_total
};

/* A kernel that a thread has looked up: see lookup.c. */
struct lookup {
  uint64_t epoch; /* lookup_epoch() when Go was asked */
  uintptr_t module, function;
  const char *at; /* where the program had the name */
  char name[96];
};

/* The module that a thread loaded last, if its image can't change: see lookup.c. Any
 * thread may change the state. */
struct loaded {
  uint64_t state; /* and a serial number */
  uintptr_t image, module;
  uint64_t generation;
  int32_t opt; /* of the compiler, no_compiler if there was none */
};

enum { no_compiler = INT32_MIN };

enum { lookup_slots = 16 };

/* A stream and the pool's entry of it: see launch.c. */
struct known {
  uintptr_t stream;
  struct pool_entry *entry; /* NULL: none of the pool's */
  uint64_t generation;      /* of what threads know of streams */
};

enum { known_streams = 8 };

struct onenode;
struct replay;

/* The sets and ways of a thread's free list: see alloc.c. */
enum { free_list_sets = 8, free_list_ways = 4 };

/* How deep a thread's scopes nest at most: see entry.c. */
enum { scopes_max = 32 };

/* What belongs to one thread. Only that thread writes, except to loaded and free_list;
 * any thread may read the counters. */
struct thread {
  struct thread *next; /* all there are, in use or not */
  uint32_t in_use;
  uint64_t made[call_total]; /* calls, by function */

  /* launch.c. Together: after a long wait each page costs. */
  uint64_t launched, waited; /* driver calls */
  struct known spare; /* a destroyed stream to be given again; stream 0: none */
  struct known streams[known_streams];
  struct onenode *onenode;     /* NULL: no one-node graphs yet, see onenode.c */
  uint64_t launch_ns, wait_ns; /* in the driver, where calls are timed */

  /* alloc.c */
  struct block *free_list[free_list_sets * free_list_ways];
  int64_t through_go; /* when an allocation entered Go last */
  uint64_t allocated; /* allocations answered */

  /* entry.c */
  uint32_t scopes_open;
  struct scope {
    uintptr_t cache, session;
  } scopes[scopes_max];

  /* record.h, replay.c */
  uintptr_t begun;       /* the recording that mgpuxGraphBegin began; 0: none */
  uintptr_t recording;   /* the same while it records */
  bool notes;            /* calls are noted and made, not recorded */
  struct replay *replay; /* of the recording; NULL: none */
  uintptr_t fresh;       /* the stream that the thread made last */
  uint64_t fresh_word;   /* the word of its entry then */

  /* lookup.c */
  struct loaded loaded;
  struct lookup lookups[lookup_slots];
};

/* Functions of a launch and a wait. The linker places them side by side, those of
 * the drivers too, for the same reason. */
#define HOT __attribute__((hot))

/* The calling thread's; NULL before its first call. */
extern __thread struct thread *this_thread
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Gives the calling thread its state. The state of a thread that has ended is used again
 * and goes on counting. Returns false where there is no memory. */
bool thread_attach(void);

/* Takes the state away again. */
void thread_detach(void);

/* The first of all threads' states, linked by next. */
struct thread *threads_all(void);

/* Counts a call of the calling thread's. One writer, so no locked instruction. */
static inline void count_call(enum call call) {
  uint64_t *n = &this_thread->made[call];
  __atomic_store_n(n, *n + 1, __ATOMIC_RELAXED);
}

/* How often a function was called, by all threads. */
uint64_t calls_counted(enum call call);

#endif
