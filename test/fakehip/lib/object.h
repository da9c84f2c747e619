/* Handles: streams, events, modules, graphs and what belongs to these. A handle's value is not an address and is not reused, so that one that was
 * destroyed is told from one that never was. */
#ifndef FAKEHIP_OBJECT_H
#define FAKEHIP_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "call.h"

/* The first that belongs to another one, and is not a leak by itself, is kind_function. */
enum kind {
  kind_stream,
  kind_event,
  kind_module,
  kind_graph,
  kind_exec,
  kind_function,
  kind_node,
  kinds
};

extern const char *const kind_name[kinds];

/* The object of a handle; the first member of each kind of object. */
struct object {
  atomic_int references; /* the handle holds one until it is destroyed */
  enum kind kind;
  int device;
  uint64_t handle;
  enum function maker; /* the call that made it, and its number */
  uint64_t made_by;
  bool
      forgiven; /* no leak: destroying it was tried, and failed because a rule said so */
  void (*end)(
      struct object *); /* frees it, when nothing refers to it any more */
};

/* Makes a handle for an object whose first reference becomes the handle's; maker is the call under way. */
uint64_t object_publish(struct object *o, enum function maker);

/* The object of a handle, with a reference for the caller. NULL, and a violation, where it is none of that kind. */
void *object_take(const void *handle, enum kind kind);

/* Reports whether a handle was of the kind and is destroyed. */
bool object_was_destroyed(const void *handle, enum kind kind);

/* Ends a handle: returns what object_take does, with the handle's reference. */
void *object_retire(const void *handle, enum kind kind);

void object_hold(struct object *o);
void object_release(struct object *o);

/* Notes that destroying the handle was tried. */
void object_forgive(const void *handle, enum kind kind);

/* Reports a violation for each kind of which objects live. */
void object_report_leaks(void);

uint64_t object_live(enum kind kind);

/* Returns a live handle of a kind on a device; 0 if there is none. */
uint64_t object_of_device(enum kind kind, int device);

#endif
