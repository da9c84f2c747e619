/* Random programs of calls of mgpu and of HIP, and a model of what the stock library guarantees them.
 *
 * A program is a list of operations. Each is a kind and four numbers, which choose among what there is when it is executed; an
 * operation that does not fit then does nothing. So operations can be left out of a program, and the rest still is one.
 *
 * The model (model.c) holds the contents of each block of memory as if each call were executed at once, and which streams have work
 * pending that uses the block. The host touches memory only where stock's calls have waited for that work. What docs/semantics.md
 * names as an exception is not relied on, unless the program is run as stock's (struct options). */
#ifndef MIXED_H
#define MIXED_H

#include <mgpu_runtime.h>

#include "hip.h"

enum {
  most_words = 1024,
  block_slots = 10,
  stream_slots = 6, /* the last one is the default stream */
  event_slots = 5,
  module_slots = 3,
  print_slots = 4,
  images = 3,
  all_slots = block_slots + 2 * module_slots, /* with the modules' variables */
  table_words = 16,
  most_devices = 2,
  most_operations = 400,
  most_nodes = 8
};

enum block_kind {
  block_none,
  mgpu_device,
  mgpu_managed,
  hip_device,
  hip_managed,
  hip_pinned,
  mgpu_registered,
  hip_registered,
  pageable,
  variable, /* of a module */
  block_kinds
};

/* Options of a run, by the program's arguments. */
struct options {
  bool
      stock; /* stock's library, or the cache is off: nothing in docs/semantics.md is an exception */
  bool regions; /* recorded regions too */
  bool
      test_hip; /* it captures launches, which AMD's 5.2.3 does not, and copies to pageable memory without a wait */
  bool verbose;
  /* What programs do without, to see what else is wrong. */
  bool
      no_vendor_ends; /* mgpu's handles and memory are given back to mgpu, HIP's to HIP */
  bool no_reset, no_ready, no_variables, no_capture, no_own_streams,
      no_callbacks, no_prints;
  bool no_own_modules;
  bool no_kind[block_kinds];
  bool no_downloads;   /* copies to memory that host and device share */
  bool no_host_fills;  /* fills of it */
  bool no_vendor_work; /* HIP's calls submit nothing */
};
extern struct options options;

/* The stream and the number of the piece of work in it that uses something last. Stream 0: none is pending. */
struct pending {
  unsigned stream;
  unsigned number;
  bool
      unseen; /* submitted by HIP's calls, with none of mgpu's after it: mgpu can't know */
  bool host_unseen; /* mgpu can't know that it uses this memory */
  bool recorded;    /* in a region that is still open */
  bool freed;       /* a free has waited for it, as far as the host can see */
};

struct block {
  enum block_kind kind;
  int device;
  uint32_t *at;   /* as kernels, copies and fills know it */
  uint32_t *host; /* as the host does; NULL: it can't touch it */
  uint32_t words, model[most_words];
  struct pending use;
};

struct stream {
  bool live, by_hip, blocking, capturing;
  handle handle;
  int device;
  unsigned id;     /* never used again; modulo most_devices it is the device */
  unsigned number; /* of the latest piece of work */
  unsigned done;   /* the host has waited to this one */
  bool passed;     /* HIP's, and was passed to mgpu */
};

struct event {
  bool live, by_hip, recorded;
  handle handle;
  int device;
  unsigned stream, number;
};

struct module {
  bool live, by_hip;
  int image, device;
  handle handle, step, look, bump;
  handle print; /* NULL: not looked up, and mgpu's frees need not wait for it */
  struct block table, counter; /* counter: of image 2 only */
  struct pending code;
};

/* A line printed by a kernel. */
struct print {
  bool live;
  unsigned line;
  struct pending use;
};

/* One captured operation. */
struct node {
  enum { node_fill, node_copy, node_step } does;
  int to, from;
  uint32_t words, value;
};

struct graph {
  bool live;
  int device;
  handle graph, exec;
  int n;
  struct node node[most_nodes];
};

/* All objects of a program. */
struct world {
  int devices, device;
  struct block block[block_slots];
  struct stream
      stream[stream_slots]; /* of the last slot only the handle counts */
  struct stream null[most_devices];
  struct event event[event_slots];
  struct module module[module_slots];
  struct print print[print_slots];
  unsigned lines;
  struct graph graph; /* captured, or being captured */
  handle helper[most_devices], spin[most_devices]; /* HIP's own module */
  unsigned ids;
  int called, expected; /* callbacks */
  bool region;
  /* What the latest operations were about, by slots. */
  uint32_t recent_block, recent_stream, recent_event, recent_module;
  bool bracketed; /* mgpu's calls leave no last error */
  bool reuses;    /* mgpu has memory that it may give out again */
  bool mixes;     /* mgpuMemFree has freed memory of HIP's */
};
extern struct world world;

/* The images that programs load. */
extern void *image[images];

/* The first values of the modules' variables. */
static inline uint32_t first_value(int image, bool table, uint32_t i) {
  return (uint32_t)(table ? 100 : 7) * (uint32_t)(image + 1) + i;
}

/* One operation. */
struct operation {
  int kind;
  uint32_t a, b, c, d;
};

/* A program that is made of a kind of operation goes on with another one more often than not. */
enum part { start, delay, work, wait, touch, end, parts };

struct operation_kind {
  const char *name;
  int weight;
  enum part part;
  const char *chooses;
  /* Executes an operation; false: it did not fit, and nothing was done. */
  bool (*execute)(const struct operation *);
};
extern const struct operation_kind operation_kinds[];
extern const int operations;

/* Waits for all work, checks all memory and releases everything. */
void world_end(void);
void world_begin(void);

/* Notes what the current operation does, for the report. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the process: the program and what is wrong. */
void fail(const char *format, ...)
    __attribute__((format(printf, 1, 2), noreturn));

/* Ends the process if a call of HIP failed. */
#define OK(call) ok(#call, hip.call)
void ok(const char *call, int status);

/* A call of mgpu. */
#define MGPU(call)                                                             \
  do {                                                                         \
    before_mgpu();                                                             \
    call;                                                                      \
    after_mgpu(#call);                                                         \
  } while (0)
void before_mgpu(void);
void after_mgpu(const char *call);

/* model.c */

/* The stream in a slot; NULL where there is none that may be used now. The thread's device is then the stream's. */
struct stream *stream_at(uint32_t slot);
struct stream *stream_by_id(unsigned id);

/* Whether anything is being captured. */
bool capturing(void);

/* Orders a stream's next work after what uses something, and notes the work. False, before anything was done, where a wait for the
 * host is needed. */
bool may_use(const struct pending *p, const struct stream *s);
void use(struct pending *p, struct stream *s, bool by_hip);

/* Marks memory of which mgpu does not see that the work uses it. */
void use_unseen(struct pending *p);

/* The host waited for a stream's work to a number. */
void waited(struct stream *s, unsigned id, unsigned number);

/* The host waited for a device: by a free (mgpu's or HIP's), or by hipDeviceSynchronize. */
void waited_for_device(int device, bool by_mgpu_free);

void for_each_pending(void (*f)(struct pending *, void *), void *arg);
void expect(const struct block *b, const uint32_t *words, const char *how);
void set_device(int device, bool by_hip);

#endif
