/* The state of one host thread: its counters of calls, and what each file caches for the
 * thread. */
#ifndef MGPU_FASTPATH_THREAD_H
#define MGPU_FASTPATH_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls.h"

/* A kernel that the thread has looked up: see lookup.c. */
struct lookup {
  uint64_t epoch; /* lookup_epoch() before Go was asked */
  uintptr_t module, function;
  const char *address; /* of the name, in the program */
  char name[96];
};

/* The copy of an image from which the cache loaded a module. */
struct loaded_image {
  uintptr_t copy, length; /* length 0: none */
};

/* A thread's reference to a module that it has loaded: see lookup.c. Other threads may also
 * change the state. */
struct module_ref {
  uint64_t state;            /* with a serial number */
  uintptr_t address, module; /* of the program's image; of its module */
  struct loaded_image image; /* in place as long as the reference */
  int32_t opt;               /* compiler level; no_compiler if none ran */
};

enum { no_compiler = INT32_MIN, module_refs = 8 };

/* The kernels that a thread has looked up: a table of sets, each with some ways. */
enum { lookup_ways = 4, lookup_slots_first = 16, lookup_slots_most = 1 << 15 };

/* A stream with its entry in the pool: see stream.c. */
struct stream_slot {
  uintptr_t stream;
  struct pool_entry *entry; /* NULL: another library's stream */
  uint64_t version;         /* streams_version before Go was asked */
};

enum { stream_slots = 8 };

/* The place to which a thread writes records: see trace.c. */
struct thread_trace {
  struct trace_header *file;
  struct trace_segment *segment; /* NULL: none yet */
  struct trace_record *next, *end;
  uint64_t ticket; /* of the segment, while the thread has it */
};

struct kernel_rows;
struct onenode_cache;
struct tuner;

/* A thread's latest copy whose destination it has noted: see copy.c. */
struct noted_copy {
  const struct pool_entry *stream;
  uint64_t number; /* of the submission */
};

/* The submission whose driver call the thread is making: see stream.h. Of nested calls, as
 * by a callback or a cancelled thread's cleanup, the outermost one. */
struct submitting {
  struct pool_entry *stream; /* NULL: none */
  uint64_t submission;
};

/* The sets and ways of a thread's free list: see alloc.c. The ways fill a cache line. */
enum { free_list_sets = 8, free_list_ways = 8 };

/* Numbers of calls made without Go: allocations with free blocks, allocations with blocks
 * that had been waiting, and frees with work pending. */
struct alloc_counts {
  uint64_t reused, waited, deferred;
};

/* How deep a thread's scopes may be nested: see entry.c. */
enum { scopes_max = 32 };

/* The state of one thread. Only that thread writes, except modules, free_list and
 * taken_by_others. Any thread may read the counters. */
struct thread {
  struct thread *next; /* in the list of all states */
  uint32_t in_use;
  uint64_t calls[call_total];
  uint64_t driver_calls[call_total]; /* made without Go */
  uint64_t driver_ns[call_total];    /* in these, if calls are timed */

  /* launch.c and stream.c. Adjacent, since each page costs time after a long wait. */
  struct stream_slot
      unused; /* a destroyed stream for the next create; stream 0: none */
  struct stream_slot streams[stream_slots];
  struct onenode_cache *onenode; /* NULL until the first launch by graph */
  struct tuner *tuner;           /* of onenode */
  struct noted_copy noted_copy;
  struct submitting submitting;
  uint64_t
      freed; /* Pool.frees at the thread's latest free that left work pending */
  uint64_t reset_looked; /* reset.h: time of the latest check */
  __attribute__((
      aligned(64))) struct block *free_list[free_list_sets * free_list_ways];
  int64_t entered_go; /* time at which an allocation last entered Go */
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
  uintptr_t begun;     /* the recording of mgpuxGraphBegin; 0: none */
  uintptr_t recording; /* the same while it records */
  bool notes;          /* calls are made, and only noted */

  struct thread_trace trace; /* trace.c */

  struct kernel_rows *kernels; /* kernels.c; NULL: none yet */

  /* lookup.c */
  struct module_ref modules[module_refs];
  uint32_t module_last;   /* index of the one used last */
  struct lookup *lookups; /* NULL: none yet */
  uint32_t lookup_slots;
  uint32_t lookups_replaced; /* look-ups that replaced one in a full set */
};

/* Marks functions of a launch and a wait, including the drivers' functions. The linker
 * places them side by side, since each page costs time after a long wait. */
#define HOT __attribute__((hot))

/* The calling thread's state; NULL before its first call. */
extern __thread struct thread *this_thread
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Gives the calling thread a state: that of a thread that has ended, whose counters
 * continue, or a new one. Returns false if out of memory. */
bool thread_attach(void);

/* Takes the state from the calling thread. */
void thread_detach(void);

/* Return the first of all states, which are linked by next, and their number. */
struct thread *threads_all(void);
uint64_t threads_count(void);

/* Adds to a counter of the calling thread. There is one writer, so no locked instruction is
 * necessary. */
static inline void thread_count(uint64_t *counter, uint64_t n) {
  __atomic_store_n(counter, *counter + n, __ATOMIC_RELAXED);
}

/* Counts a call of the calling thread. */
static inline void count_call(enum call call) {
  thread_count(&this_thread->calls[call], 1);
}

/* Returns the number of calls of a function by all threads. */
uint64_t calls_counted(enum call call);

#endif
