/* The state of one host thread: its counters of calls, and what each file caches for it. */
#ifndef MGPU_FASTPATH_THREAD_H
#define MGPU_FASTPATH_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls.h"

/* A kernel that the thread has looked up: see lookup.c. */
struct lookup {
  uint64_t epoch; /* lookup_epoch() when Go was asked */
  uintptr_t module, function;
  const char *address; /* of the name in the program */
  char name[96];
};

/* The copy of an image from which the cache loaded a module. */
struct loaded_image {
  uintptr_t copy, length; /* length 0: none */
};

/* A thread's reference to a module that it has loaded: see lookup.c. Other threads may
 * change the state too. */
struct module_ref {
  uint64_t state;            /* and a serial number */
  uintptr_t address, module; /* of the program's image; what it was loaded as */
  struct loaded_image image; /* in place as long as the reference */
  int32_t opt;               /* the compiler's level, no_compiler if none ran */
};

enum { no_compiler = INT32_MIN, module_refs = 8 };

/* The kernels that a thread has looked up: a table of sets, each of some ways. */
enum { lookup_ways = 4, lookup_slots_first = 16, lookup_slots_most = 1 << 15 };

/* A stream with its entry in the pool: see stream.c. */
struct stream_slot {
  uintptr_t stream;
  struct pool_entry *entry; /* NULL: another library's stream */
  uint64_t version;         /* streams_version when Go was asked */
};

enum { stream_slots = 8 };

/* Where a thread writes records: see trace.c. */
struct thread_trace {
  struct trace_header *file;
  struct trace_segment *segment; /* NULL: none yet */
  struct trace_record *next, *end;
  uint64_t ticket; /* of the segment, while it is the thread's */
};

struct kernel_rows;
struct onenode_cache;
struct tuner;

/* A thread's latest copy whose destination it noted: see copy.c. */
struct noted_copy {
  const struct pool_entry *stream;
  uint64_t number; /* of the submission */
};

/* The submission whose driver call the thread is in: see stream.h. Of calls within such a
 * call, as of a callback or a cancelled thread's cleanup, the outermost. */
struct submitting {
  struct pool_entry *stream; /* NULL: none */
  uint64_t submission;
};

/* The sets and ways of a thread's free list: see alloc.c. The ways fill a cache line. */
enum { free_list_sets = 8, free_list_ways = 8 };

/* Calls made without Go: allocations with free blocks, and with those that had been
 * waiting, and frees with work pending. */
struct alloc_counts {
  uint64_t reused, waited, deferred;
};

/* How deep a thread's scopes nest at most: see entry.c. */
enum { scopes_max = 32 };

/* The state of one thread. Only that thread writes, except to modules, free_list and
 * taken_by_others; any thread may read the counters. */
struct thread {
  struct thread *next; /* in the list of all states */
  uint32_t in_use;
  uint64_t calls[call_total];
  uint64_t driver_calls[call_total]; /* made without Go */
  uint64_t driver_ns[call_total];    /* in these, where calls are timed */

  /* launch.c and stream.c. Adjacent: after a long wait each page costs. */
  struct stream_slot
      unused; /* a destroyed stream for the next create; stream 0: none */
  struct stream_slot streams[stream_slots];
  struct onenode_cache *onenode; /* NULL until the first launch by graph */
  struct tuner *tuner;           /* of onenode */
  struct noted_copy noted_copy;
  struct submitting submitting;
  uint64_t
      freed; /* Pool.frees at the thread's latest free that left work pending */
  uint64_t reset_looked; /* reset.h: a clock, when the device was not reset */
  __attribute__((
      aligned(64))) struct block *free_list[free_list_sets * free_list_ways];
  int64_t entered_go; /* when an allocation last entered Go */
  uint64_t
      listed; /* bytes that this thread has put on its list, less those that it
                    * took back, and those that others took */
  uint64_t taken_by_others;
  struct alloc_counts allocations;

  /* entry.c */
  uint32_t scopes_open;
  struct scope {
    uintptr_t cache, session;
  } scopes[scopes_max];

  /* record.h */
  uintptr_t begun;     /* the recording that mgpuxGraphBegin began; 0: none */
  uintptr_t recording; /* the same while it records */
  bool notes;          /* calls are made, and only noted */

  struct thread_trace trace; /* trace.c */

  struct kernel_rows *kernels; /* kernels.c; NULL: none yet */

  /* lookup.c */
  struct module_ref modules[module_refs];
  uint32_t module_last;   /* used last */
  struct lookup *lookups; /* NULL: none yet */
  uint32_t lookup_slots;
  uint32_t lookups_replaced; /* where all ways of a set were taken */
};

/* Marks functions of a launch and a wait. The linker places them side by side, those
 * of the drivers too: after a long wait each page costs. */
#define HOT __attribute__((hot))

/* The calling thread's state; NULL before its first call. */
extern __thread struct thread *this_thread
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Gives the calling thread a state: one of a thread that has ended, whose counters go
 * on, or a new one. Returns false if there is no memory. */
bool thread_attach(void);

/* Takes the state away from the calling thread. */
void thread_detach(void);

/* Returns the first of all states, linked by next; how many there are. */
struct thread *threads_all(void);
uint64_t threads_count(void);

/* Adds to a counter of the calling thread. One writer, so no locked instruction. */
static inline void thread_count(uint64_t *counter, uint64_t n) {
  __atomic_store_n(counter, *counter + n, __ATOMIC_RELAXED);
}

/* Counts a call by the calling thread. */
static inline void count_call(enum call call) {
  thread_count(&this_thread->calls[call], 1);
}

/* Returns how often all threads called a function. */
uint64_t calls_counted(enum call call);

#endif
