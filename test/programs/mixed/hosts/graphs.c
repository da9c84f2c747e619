/* Captured graphs, and recorded regions. */
#include "operations.h"

#include <string.h>

bool in_graph(const struct block *b) {
  for (int i = 0; i < world.graph.n; i++)
    if (&world.block[world.graph.node[i].to] == b ||
        (world.graph.node[i].does == node_copy &&
         &world.block[world.graph.node[i].from] == b))
      return true;
  return false;
}

bool capture(struct node n) {
  struct graph *g = &world.graph;
  struct block *to = &world.block[n.to];
  bool blocks = n.to >= 0 && n.to < block_slots &&
                (n.does != node_copy || (n.from >= 0 && n.from < block_slots));
  if (!blocks || g->n == most_nodes || to->use.stream != 0 ||
      to->kind == pageable ||
      (n.does == node_copy && (world.block[n.from].use.stream != 0 ||
                               world.block[n.from].kind == pageable)))
    return false;
  g->node[g->n++] = n;
  return true;
}

bool op_capture_begin(const struct operation *o) {
  struct stream *s = &world.stream[o->a % (stream_slots - 1)];
  if (!hip.hipStreamBeginCapture || options.no_capture ||
      !hip.hipStreamEndCapture || world.region || !s->live || capturing() ||
      world.graph.live || (s->by_hip && !options.stock)) /* docs/semantics.md */
    return false;
  name_stream(s, true);
  set_device(s->device, false);
  OK(hipStreamBeginCapture(s->handle, hip_capture_relaxed));
  s->capturing = true;
  world.graph = (struct graph){.device = s->device};
  return true;
}

bool op_capture_end(const struct operation *o) {
  struct stream *s = &world.stream[o->a % (stream_slots - 1)];
  struct graph *g = &world.graph;
  if (!s->live || !s->capturing || world.region)
    return false;
  name_stream(s, true);
  set_device(s->device, false);
  OK(hipStreamEndCapture(s->handle, &g->graph));
  s->capturing = false;
  if (hip.hipGraphInstantiateWithFlags)
    OK(hipGraphInstantiateWithFlags(&g->exec, g->graph, 0));
  else
    OK(hipGraphInstantiate(&g->exec, g->graph, NULL, NULL, 0));
  g->live = true;
  return true;
}

bool op_graph_launch(const struct operation *o) {
  struct graph *g = &world.graph;
  struct stream *s = stream_at(o->a);
  if (!g->live || world.region || !s || s->device != g->device || s->capturing)
    return false;
  for (int i = 0; i < g->n; i++)
    if (!may_use(&world.block[g->node[i].to].use, s) ||
        (g->node[i].does == node_copy &&
         !may_use(&world.block[g->node[i].from].use, s)))
      return false;
  say("%d nodes", g->n);
  name_stream(s, true);
  for (int i = 0; i < g->n; i++) {
    struct node *n = &g->node[i];
    struct block *to = &world.block[n->to];
    use_block(to, s, true);
    if (n->does == node_copy) {
      use_block(&world.block[n->from], s, true);
      memcpy(to->model, world.block[n->from].model, 4 * n->words);
    } else if (n->does == node_fill) {
      put(to, 0, n->words, n->value);
    } else {
      for (uint32_t k = 0; k < n->words; k++)
        to->model[k] = to->model[k] * 3 + n->value;
    }
  }
  set_device(s->device, false);
  OK(hipGraphLaunch(g->exec, s->handle));
  /* The exec may not be launched again, or destroyed, while it executes. */
  OK(hipStreamSynchronize(s->handle));
  waited(s, s->id, s->number);
  return true;
}

bool op_graph_destroy(const struct operation *o) {
  struct graph *g = &world.graph;
  (void)o;
  if (!g->live || world.region)
    return false;
  OK(hipGraphExecDestroy(g->exec));
  OK(hipGraphDestroy(g->graph));
  *g = (struct graph){0};
  return true;
}

static void recorded_no_more(struct pending *p, void *arg) {
  (void)arg;
  p->recorded = false;
}

bool op_region_begin(const struct operation *o) {
  if (!options.regions || world.region || capturing())
    return false;
  say("key %u", o->a % 3);
  MGPU(mgpuxGraphBegin(o->a % 3));
  world.region = true;
  return true;
}

bool op_region_end(const struct operation *o) {
  (void)o;
  if (!world.region)
    return false;
  MGPU(mgpuxGraphEnd());
  world.region = false;
  for_each_pending(recorded_no_more, NULL);
  return true;
}
