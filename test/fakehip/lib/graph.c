/* Graphs: lists of pieces of work in an order that agrees with their dependencies, which each launch submits to its stream, one
 * after another. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "launch.h"
#include "memory.h"
#include "real.h"
#include "violation.h"

/* A node's work. */
enum does { does_nothing, does_launch, does_copy, does_fill };

struct piece {
  enum does does;
  struct job *job;
  void *dst;
  const void *src;
  size_t bytes; /* of a copy */
  hipMemcpyKind kind;
  hipMemsetParams fill;
};

struct graph {
  struct object object;
  pthread_mutex_t lock;
  struct node **node; /* with their handles' references */
  size_t n, room;
};

struct node {
  struct object object;
  uint64_t graph; /* the handle of the one that it belongs to */
  size_t index;
  struct piece piece;
};

struct exec {
  struct object object;
  uint64_t graph;
  pthread_mutex_t lock;
  struct piece *piece;
  size_t n;
  struct clock last; /* after the latest launch */
};

static void piece_clear(struct piece *p) {
  if (p->job)
    launch_drop(p->job);
  p->job = NULL;
}

static void graph_end(struct object *o) {
  struct graph *g = (struct graph *)o;
  pthread_mutex_destroy(&g->lock);
  free(g->node);
  free(g);
}

static void node_end(struct object *o) {
  struct node *n = (struct node *)o;
  piece_clear(&n->piece);
  free(n);
}

static void exec_end(struct object *o) {
  struct exec *x = (struct exec *)o;
  for (size_t i = 0; i < x->n; i++)
    piece_clear(&x->piece[i]);
  clock_clear(&x->last);
  pthread_mutex_destroy(&x->lock);
  free(x->piece);
  free(x);
}

static void *new_object(size_t size) {
  void *p = calloc(1, size);
  if (!p)
    abort();
  return p;
}

hipError_t real_hipGraphCreate(hipGraph_t *out, unsigned flags) {
  struct device *d = device_current();
  if (!out || flags || !d)
    return hipErrorInvalidValue;
  struct graph *g = new_object(sizeof *g);
  g->object = (struct object){
      .kind = kind_graph, .device = d->number, .end = graph_end};
  pthread_mutex_init(&g->lock, NULL);
  *out = (hipGraph_t)(uintptr_t)object_publish(&g->object, call_hipGraphCreate);
  return hipSuccess;
}

hipError_t real_hipGraphDestroy(hipGraph_t handle) {
  struct graph *g = object_retire(handle, kind_graph);
  if (!g)
    return hipErrorInvalidValue;
  for (size_t i = 0; i < g->n; i++) {
    struct node *n =
        object_retire((void *)(uintptr_t)g->node[i]->object.handle, kind_node);
    object_release(&n->object);
  }
  object_release(&g->object);
  return hipSuccess;
}

void forgive_hipGraphDestroy(hipGraph_t handle) {
  object_forgive(handle, kind_graph);
}

/* Adds a piece of work after others, and becomes its owner. */
static hipError_t add(hipGraphNode_t *out, hipGraph_t handle,
                      const hipGraphNode_t *after, size_t n, struct piece p,
                      enum function maker) {
  struct graph *g =
      out && (after || !n) ? object_take(handle, kind_graph) : NULL;
  for (size_t i = 0; g && i < n; i++) {
    struct node *before = object_take(after[i], kind_node);
    bool ours = before && before->graph == g->object.handle;
    if (before)
      object_release(&before->object);
    if (!ours) {
      violation(violation_argument, "%p is not a node of the graph",
                (void *)after[i]);
      object_release(&g->object);
      g = NULL;
    }
  }
  if (!g) {
    piece_clear(&p);
    return hipErrorInvalidValue;
  }
  struct node *node = new_object(sizeof *node);
  node->object = (struct object){
      .kind = kind_node, .device = g->object.device, .end = node_end};
  node->graph = g->object.handle;
  node->piece = p;
  pthread_mutex_lock(&g->lock);
  node->index = g->n;
  if (g->n == g->room &&
      !(g->node =
            realloc(g->node, (g->room = 2 * g->room + 8) * sizeof *g->node)))
    abort();
  *out = (hipGraphNode_t)(uintptr_t)object_publish(&node->object, maker);
  g->node[g->n++] = node;
  pthread_mutex_unlock(&g->lock);
  object_release(&g->object);
  return hipSuccess;
}

static hipError_t launch_piece(const hipKernelNodeParams *does,
                               struct piece *p) {
  if (!does)
    return hipErrorInvalidValue;
  *p = (struct piece){.does = does_launch};
  return launch_prepare(does->func, &does->gridDim.x, &does->blockDim.x,
                        does->sharedMemBytes, does->kernelParams, does->extra,
                        false, &p->job);
}

static hipError_t copy_piece(void *dst, const void *src, size_t bytes,
                             hipMemcpyKind kind, struct piece *p) {
  *p = (struct piece){
      .does = does_copy, .dst = dst, .src = src, .bytes = bytes, .kind = kind};
  return dst && src && bytes && kind <= hipMemcpyDefault ? hipSuccess
                                                         : hipErrorInvalidValue;
}

static hipError_t fill_piece(const hipMemsetParams *does, struct piece *p) {
  if (!does || !does->dst || !does->width || does->height != 1 ||
      (does->elementSize != 2 && does->elementSize != 4))
    return hipErrorInvalidValue;
  *p = (struct piece){.does = does_fill, .fill = *does};
  return hipSuccess;
}

hipError_t real_hipGraphAddKernelNode(hipGraphNode_t *node, hipGraph_t graph,
                                      const hipGraphNode_t *after, size_t n,
                                      const hipKernelNodeParams *does) {
  struct piece p;
  hipError_t e = launch_piece(does, &p);
  return e == hipSuccess
             ? add(node, graph, after, n, p, call_hipGraphAddKernelNode)
             : e;
}

hipError_t real_hipGraphAddMemcpyNode1D(hipGraphNode_t *node, hipGraph_t graph,
                                        const hipGraphNode_t *after, size_t n,
                                        void *dst, const void *src,
                                        size_t bytes, hipMemcpyKind kind) {
  struct piece p;
  hipError_t e = copy_piece(dst, src, bytes, kind, &p);
  return e == hipSuccess
             ? add(node, graph, after, n, p, call_hipGraphAddMemcpyNode1D)
             : e;
}

/* Adds work of a captured stream after its earlier work, the node in *last. */
static hipError_t append(hipGraph_t graph, hipGraphNode_t *last,
                         struct piece p) {
  hipGraphNode_t before = *last;
  return add(last, graph, &before, before != NULL, p,
             call_hipStreamBeginCapture);
}

hipError_t graph_append_launch(hipGraph_t graph, hipGraphNode_t *last,
                               struct job *j) {
  return append(graph, last, (struct piece){.does = does_launch, .job = j});
}

hipError_t graph_append_copy(hipGraph_t graph, hipGraphNode_t *last, void *dst,
                             const void *src, size_t bytes,
                             hipMemcpyKind kind) {
  struct piece p;
  hipError_t e = copy_piece(dst, src, bytes, kind, &p);
  return e == hipSuccess ? append(graph, last, p) : e;
}

hipError_t graph_append_fill(hipGraph_t graph, hipGraphNode_t *last, void *dst,
                             unsigned value, unsigned size, size_t count) {
  hipMemsetParams does = {.dst = dst,
                          .elementSize = size,
                          .height = 1,
                          .value = value,
                          .width = count};
  struct piece p;
  hipError_t e = fill_piece(&does, &p);
  return e == hipSuccess ? append(graph, last, p) : e;
}

hipError_t real_hipGraphAddMemsetNode(hipGraphNode_t *node, hipGraph_t graph,
                                      const hipGraphNode_t *after, size_t n,
                                      const hipMemsetParams *does) {
  struct piece p;
  hipError_t e = fill_piece(does, &p);
  return e == hipSuccess
             ? add(node, graph, after, n, p, call_hipGraphAddMemsetNode)
             : e;
}

hipError_t real_hipGraphAddEmptyNode(hipGraphNode_t *node, hipGraph_t graph,
                                     const hipGraphNode_t *after, size_t n) {
  return add(node, graph, after, n, (struct piece){.does = does_nothing},
             call_hipGraphAddEmptyNode);
}

hipError_t real_hipGraphInstantiateWithFlags(hipGraphExec_t *out,
                                             hipGraph_t handle,
                                             unsigned long long flags) {
  struct graph *g = out && !flags ? object_take(handle, kind_graph) : NULL;
  if (!g)
    return hipErrorInvalidValue;
  struct exec *x = new_object(sizeof *x);
  x->object = (struct object){
      .kind = kind_exec, .device = g->object.device, .end = exec_end};
  x->graph = g->object.handle;
  pthread_mutex_init(&x->lock, NULL);
  pthread_mutex_lock(&g->lock);
  x->n = g->n;
  x->piece = new_object((g->n + 1) * sizeof *x->piece);
  for (size_t i = 0; i < g->n; i++) {
    x->piece[i] = g->node[i]->piece;
    if (x->piece[i].job)
      x->piece[i].job = launch_copy(x->piece[i].job);
  }
  pthread_mutex_unlock(&g->lock);
  object_release(&g->object);
  *out = (hipGraphExec_t)(uintptr_t)object_publish(
      &x->object, call_hipGraphInstantiateWithFlags);
  return hipSuccess;
}

hipError_t real_hipGraphExecDestroy(hipGraphExec_t handle) {
  struct exec *x = object_retire(handle, kind_exec);
  if (!x)
    return hipErrorInvalidValue;
  if (!clock_reached(&x->last))
    violation(violation_argument, "exec %p is destroyed while it executes",
              (void *)handle);
  object_release(&x->object);
  return hipSuccess;
}

void forgive_hipGraphExecDestroy(hipGraphExec_t handle) {
  object_forgive(handle, kind_exec);
}

/* Replaces a node's work, and becomes its owner. */
static hipError_t set(hipGraphExec_t handle, hipGraphNode_t at,
                      struct piece p) {
  struct exec *x = object_take(handle, kind_exec);
  struct node *n = x ? object_take(at, kind_node) : NULL;
  hipError_t e = hipErrorInvalidValue;
  if (n && n->graph == x->graph && n->index < x->n &&
      x->piece[n->index].does == p.does) {
    pthread_mutex_lock(&x->lock);
    struct piece old = x->piece[n->index];
    x->piece[n->index] = p;
    p = old;
    pthread_mutex_unlock(&x->lock);
    e = hipSuccess;
  }
  piece_clear(&p);
  if (n)
    object_release(&n->object);
  if (x)
    object_release(&x->object);
  return e;
}

hipError_t
real_hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                     const hipKernelNodeParams *does) {
  struct piece p;
  hipError_t e = launch_piece(does, &p);
  return e == hipSuccess ? set(exec, node, p) : e;
}

hipError_t real_hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec,
                                                  hipGraphNode_t node,
                                                  void *dst, const void *src,
                                                  size_t bytes,
                                                  hipMemcpyKind kind) {
  struct piece p;
  hipError_t e = copy_piece(dst, src, bytes, kind, &p);
  return e == hipSuccess ? set(exec, node, p) : e;
}

hipError_t real_hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec,
                                                hipGraphNode_t node,
                                                const hipMemsetParams *does) {
  struct piece p;
  hipError_t e = fill_piece(does, &p);
  return e == hipSuccess ? set(exec, node, p) : e;
}

static hipError_t piece_submit(const struct piece *p, struct stream *s,
                               hipStream_t handle) {
  switch (p->does) {
  case does_launch:
    return launch_submit(launch_copy(p->job), s);
  case does_copy:
    return real_hipMemcpyAsync(p->dst, p->src, p->bytes, p->kind, handle);
  case does_fill:
    return p->fill.elementSize == 4
               ? real_hipMemsetD32Async(p->fill.dst, (int)p->fill.value,
                                        p->fill.width, handle)
               : real_hipMemsetD16Async(p->fill.dst,
                                        (unsigned short)p->fill.value,
                                        p->fill.width, handle);
  case does_nothing:
    break;
  }
  return hipSuccess;
}

hipError_t real_hipGraphLaunch(hipGraphExec_t handle, hipStream_t stream) {
  hipError_t e;
  struct stream *s = stream_take(stream, &e);
  if (!s)
    return e;
  struct exec *x = NULL;
  if ((e = capture_forbids(s)) == hipSuccess &&
      !(x = object_take(handle, kind_exec)))
    e = hipErrorInvalidValue;
  if (!x) {
    stream_release(s);
    return e;
  }
  pthread_mutex_lock(&x->lock);
  struct clock after = {0};
  clock_join(&after, &x->last);
  stream_submit(s, work_nothing("hipGraphLaunch"), &after, NULL, 0);
  for (size_t i = 0; e == hipSuccess && i < x->n; i++)
    e = piece_submit(&x->piece[i], s, stream);
  clock_clear(&x->last);
  (void)stream_record(s, &x->last);
  pthread_mutex_unlock(&x->lock);
  object_release(&x->object);
  stream_release(s);
  return e;
}

/* Asked for the type of memory that is not HIP's, 5.2.3 and 5.7.1 take the pointer
 * for a hipArray and crash. */
hipError_t real_hipPointerGetAttribute(void *value,
                                       hipPointer_attribute attribute,
                                       hipDeviceptr_t p) {
  struct block *b = value ? memory_at((uint64_t)(uintptr_t)p) : NULL;
  if (!b && value && attribute == HIP_POINTER_ATTRIBUTE_MEMORY_TYPE) {
    violation(violation_memory, "%p is not HIP's: taken for a hipArray",
              (void *)p);
    raise(SIGSEGV);
  }
  if (!b)
    return hipErrorInvalidValue;
  enum place place = b->place;
  memory_release(b);
  switch ((unsigned)attribute) {
  case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *(unsigned *)value =
        place <= place_managed ? hipMemoryTypeDevice : hipMemoryTypeHost;
    return hipSuccess;
  case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
    *(bool *)value = place == place_managed;
    return hipSuccess;
  case HIP_POINTER_ATTRIBUTE_MAPPED:
    *(bool *)value = true;
    return hipSuccess;
  }
  return hipErrorInvalidValue;
}

/* Succeeds for every address, as HIP's does, with 0 for unknown ones. */
hipError_t real_hipDrvPointerGetAttributes(unsigned n,
                                           hipPointer_attribute *attributes,
                                           void **values, hipDeviceptr_t p) {
  if (n == 0 || !attributes || !values || !p)
    return hipErrorInvalidValue;
  for (unsigned i = 0; i < n; i++)
    if (real_hipPointerGetAttribute(values[i], attributes[i], p) != hipSuccess)
      *(bool *)values[i] = false; /* the smallest of the values */
  return hipSuccess;
}
