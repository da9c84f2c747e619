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
  calls_count
};

/* A function that a module's kernel name was resolved to: see lookup.c. */
struct answer {
  uint64_t epoch;
  uintptr_t module, function;
  const char *at; /* where the program had the name */
  char name[96];
};

/* The module that a thread loaded last, if its image can't change: see
 * lookup.c. Other threads may move it from state to state. */
struct loaded {
  uint64_t state; /* and the note's number */
  uintptr_t image, module;
  uint64_t generation;
  int32_t opt; /* of the compiler, no_compiler if there was none */
};

enum { no_compiler = INT32_MIN };

enum { answer_slots = 16 };

/* A stream, and the pool's entry of it: see launch.c. */
struct known {
  uintptr_t stream;
  struct entry *entry; /* NULL: none of the pool's */
  uint64_t epoch;
};

enum { known_streams = 8 };

struct keep;
struct trace;

/* The places of a thread's hand: see alloc.c. */
enum { block_hand_sets = 8, block_hand_ways = 4 };

/* How deep a thread's scopes nest at most: see entry.c. */
enum { scopes_max = 32 };

/* What belongs to one thread. Only that thread writes to it, but for loaded;
 * calls may be read by any. */
struct calls {
  struct calls *next; /* all of them, in use or not */
  uint32_t in_use;
  uint64_t made[calls_count];
  /* launch.c's, together: after a long wait each page costs. */
  uint64_t launched, waited; /* driver calls */
  struct known
      kept; /* a stream that the program has destroyed; stream 0: none */
  struct known streams[known_streams];
  struct keep *keep;           /* graphs, see onenode.c; NULL: none yet */
  uint64_t launch_ns, wait_ns; /* in the driver, where calls are timed */

  /* alloc.c's: any thread may take out of the hand. */
  struct block *hand[block_hand_sets * block_hand_ways];
  int64_t turn;   /* when an allocation went through Go last */
  uint64_t given; /* allocations answered */
  uint32_t scopes_open;
  struct scope {
    uintptr_t cache, session;
  } scopes[scopes_max];
  uintptr_t begun;     /* the recording that mgpuxGraphBegin began; 0: none */
  uintptr_t recording; /* the same as long as it records */
  bool notes;          /* it only notes calls, which are made as well */
  struct trace *trace; /* of the recording; NULL: none, see replay.c */
  uintptr_t fresh;     /* the stream that it made last */
  uint64_t fresh_word; /* what its entry said then */
  struct loaded loaded;
  struct answer answers[answer_slots];
};

/* Functions of a launch and a wait. The linker places them side by side, those of
 * the drivers too, for the same reason. */
#define HOT __attribute__((hot))

/* The calling thread's; NULL before its first call. */
extern __thread struct calls *calls_here
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Makes calls_here. The counts of a thread that ended go on with the next one.
 * Returns false where there is no memory. */
bool calls_attach(void);

/* Takes calls_here away again. */
void calls_detach(void);

/* All there are, linked by next. */
struct calls *calls_all(void);

/* Counts a call of the calling thread's. One writer, so no locked instruction. */
static inline void calls_add(enum call call) {
  uint64_t *n = &calls_here->made[call];
  __atomic_store_n(n, *n + 1, __ATOMIC_RELAXED);
}

/* How often a function was called, by all threads. */
uint64_t calls_made(enum call call);

#endif
