/* Records of calls. Each thread writes into its own segment of the mapped file: without a
 * lock or an allocation, and with a system call only when a segment is full. internal/trace
 * has Go's part of the file, and the meaning of the fields. */
#define _GNU_SOURCE

#include "trace.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "driver.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

bool trace_on;
static bool recording;
static struct trace_header *file;
static void (*note)(const struct traced_call *c);

enum { header_bytes = 4096 };

void trace_offer(uintptr_t mapped) {
  if (mapped != 0)
    __atomic_store_n(&file, (struct trace_header *)mapped, __ATOMIC_RELEASE);
  __atomic_store_n(&recording, mapped != 0, __ATOMIC_RELEASE);
  __atomic_store_n(&trace_on, mapped != 0 || note != NULL, __ATOMIC_RELEASE);
  driver_trace(mapped != 0);
}

void trace_note(void (*f)(const struct traced_call *c)) {
  note = f;
  __atomic_store_n(&trace_on, true, __ATOMIC_RELEASE);
}

/* Gives the calling thread a segment. Returns false if none is left. */
static bool take_segment(struct trace_header *f) {
  struct thread *t = this_thread;
  t->trace.segment = NULL;
  uint64_t n = __atomic_fetch_add(&f->next, 1, __ATOMIC_RELAXED);
  /* Read each field once: if another thread ends the recording, all become 0. */
  uint64_t segments = __atomic_load_n(&f->segments, __ATOMIC_RELAXED);
  uint64_t bytes = __atomic_load_n(&f->segment_bytes, __ATOMIC_RELAXED);
  uint64_t text_bytes = __atomic_load_n(&f->text_bytes, __ATOMIC_RELAXED);
  if (segments == 0 || bytes == 0 || (n >= segments && !f->wraps))
    return false;
  char *at = (char *)f + header_bytes + text_bytes + n % segments * bytes;
  int err = errno;
  /* A page that the file system can't allocate would kill the process at the first access. */
  if (n < segments && madvise(at, bytes, MADV_POPULATE_WRITE) &&
      errno != EINVAL) {
    errno = err;
    return false;
  }
  errno = err;
  struct trace_segment *s = (struct trace_segment *)at;
  __atomic_store_n(&s->ticket, 0, __ATOMIC_RELEASE);
  memset(at + sizeof s->ticket, 0, bytes - sizeof s->ticket);
  s->thread = (uint32_t)syscall(SYS_gettid);
  prctl(PR_GET_NAME, s->name);
  t->trace = (struct thread_trace){.file = f,
                                   .segment = s,
                                   .next = (struct trace_record *)at + 1,
                                   .end = (struct trace_record *)at +
                                          bytes / sizeof *t->trace.next,
                                   .ticket = f->tickets + n + 1};
  __atomic_store_n(&s->ticket, t->trace.ticket, __ATOMIC_RELEASE);
  return true;
}

/* Reports whether the calling thread has space for a record. Takes a segment if necessary. */
HOT static bool have_place(void) {
  struct trace_header *f = __atomic_load_n(&file, __ATOMIC_ACQUIRE);
  struct thread_trace *t = &this_thread->trace;
  if (__builtin_expect(t->segment != NULL && t->file == f &&
                           t->next != t->end &&
                           __atomic_load_n(&t->segment->ticket,
                                           __ATOMIC_RELAXED) == t->ticket,
                       1))
    return true;
  if (take_segment(f))
    return true;
  __atomic_add_fetch(&f->lost, 1, __ATOMIC_RELAXED);
  return false;
}

/* Returns the place of the next record, with its thread filled in; NULL: there is no space. */
HOT static struct trace_record *next_record(void) {
  if (!have_place())
    return NULL;
  struct thread_trace *t = &this_thread->trace;
  struct trace_record *r = t->next++;
  r->thread = t->segment->thread;
  return r;
}

static void finish_record(struct trace_record *r, uint16_t kind) {
  __atomic_store_n(&r->kind, kind, __ATOMIC_RELEASE);
}

static uint64_t count_traced(void) {
  return __atomic_add_fetch(&file->calls, 1, __ATOMIC_RELAXED);
}

void trace_count(void) {
  if (recording)
    count_traced();
}

HOT void trace_enter(struct traced_call *c, enum call call, uintptr_t site) {
  bool records = __atomic_load_n(&recording, __ATOMIC_ACQUIRE);
  *c = (struct traced_call){
      .start = monotonic_ns(),
      .call = call,
      .number = records && call_is_counted(call) ? count_traced() : 0,
      .recorded = records,
      .site = site,
  };
  if (records && have_place()) {
    struct trace_segment *s = this_thread->trace.segment;
    s->call = call;
    s->number = c->number;
    __atomic_store_n(&s->start, c->start, __ATOMIC_RELEASE);
  }
}

HOT void trace_leave(struct traced_call *c) {
  if (note != NULL && call_is_noted(c->call))
    note(c);
  struct trace_record *r = c->recorded ? next_record() : NULL;
  if (r == NULL)
    return;
  r->call = (uint16_t)c->call;
  r->start = c->start;
  r->number = c->number;
  const struct launch *l = c->launch;
  if (l != NULL) {
    r->x[0] = l->function;
    r->x[1] = l->stream;
    r->x[2] = (uint32_t)l->grid[0] | (uint64_t)l->grid[1] << 32;
    r->x[3] = (uint32_t)l->grid[2] | (uint64_t)l->block[0] << 32;
    r->x[4] = (uint32_t)l->block[1] | (uint64_t)l->block[2] << 32;
    r->x[5] = (uint32_t)l->shared | (uint64_t)c->way << 32;
  } else {
    memcpy(r->x, c->x, sizeof c->x);
    r->x[4] = c->result;
    r->x[5] = (uint64_t)c->way << 32;
  }
  r->end = monotonic_ns();
  finish_record(r, trace_call);
  __atomic_store_n(&this_thread->trace.segment->start, 0, __ATOMIC_RELAXED);
}

void trace_driver_call(uint32_t what, uint64_t from) {
  struct trace_record *r = recording && from != 0 ? next_record() : NULL;
  if (r == NULL)
    return;
  r->start = from;
  r->end = monotonic_ns();
  r->x[0] = what;
  finish_record(r, trace_driver);
}
