/* What the operations share: each checks whether it fits, calls mgpu or HIP, and tells the model. */
#ifndef MIXED_OPERATIONS_H
#define MIXED_OPERATIONS_H

#include "mixed.h"

/* O(name, weight, part, what its four numbers choose: see choose in main.c). Many blocks and streams are made: a free is of
 * interest while other blocks are in use, and only work on streams other than the default one lets it return early. */
#define OPERATIONS                                                             \
  O(alloc, 40, start, ".k..")                                                  \
  O(free, 24, wait, "f...")                                                    \
  O(fill, 10, work, "Bsw.")                                                    \
  O(copy, 26, work, "Ausw")                                                    \
  O(step, 10, work, "bsm.")                                                    \
  O(look, 8, work, "bsm.")                                                     \
  O(bump, 3, work, ".sm.")                                                     \
  O(delay, 8, delay, "s...")                                                   \
  O(host_write, 24, touch, "bzw.")                                             \
  O(host_read, 8, touch, "b...")                                               \
  O(check, 8, touch, "Bs..")                                                   \
  O(synchronize, 5, wait, "s...")                                              \
  O(query, 2, wait, "s...")                                                    \
  O(ready, 4, touch, "se..")                                                   \
  O(device_synchronize, 2, wait, "....")                                       \
  O(event_create, 3, start, "e...")                                            \
  O(event_destroy, 2, end, "e...")                                             \
  O(record, 3, start, "es..")                                                  \
  O(wait_event, 3, start, "es..")                                              \
  O(event_synchronize, 4, wait, "e...")                                        \
  O(stream_create, 20, start, "....")                                          \
  O(stream_destroy, 5, end, "s...")                                            \
  O(module_load, 3, start, "....")                                             \
  O(module_unload, 4, end, "m...")                                             \
  O(capture_begin, 2, start, "s...")                                           \
  O(capture_end, 4, end, "s...")                                               \
  O(graph_launch, 4, work, "s...")                                             \
  O(graph_destroy, 1, end, "....")                                             \
  O(device, 4, start, "....")                                                  \
  O(reset, 1, end, "....")                                                     \
  O(attributes, 1, touch, "sb..")                                              \
  O(callback, 1, wait, "s...")                                                 \
  O(print, 4, work, ".sm.")                                                    \
  O(printed, 8, touch, "....")                                                 \
  O(region_begin, 2, start, "....")                                            \
  O(region_end, 3, end, "....")

#define O(name, weight, part, chooses)                                         \
  bool op_##name(const struct operation *o);
OPERATIONS
#undef O

extern const char *const kind_names[block_kinds];

/* Whether the host may touch a block now. */
bool host_may(const struct block *b);

/* Whether HIP's calls may be made: a region is the thread's own. */
bool hip_may(uint32_t which);

/* The same for calls that submit work, or wait for it. */
bool hip_works(uint32_t which);

/* Who gives something back that HIP's call or mgpu's has made. */
bool hip_ends(bool made_by_hip, uint32_t which);

/* Launches a kernel for so many words, with n parameters. */
void launch(handle f, uint32_t words, struct stream *s, bool by_hip,
            void **params, size_t n);

/* The block in a slot; NULL: there is none. any_in: a block or a variable. */
struct block *block_in(uint32_t slot);
struct block *any_in(uint32_t slot);
int slot_of(const struct block *b);

/* Say which one an operation is about. */
void name_block(const struct block *b);
void name_stream(const struct stream *s, bool by_hip);

/* Of work that HIP's calls have put into mgpu's streams, mgpu does not know what memory of the host's it uses. */
void use_block(struct block *b, struct stream *s, bool by_hip);

/* Sets n words from at on in the model of a block. */
void put(struct block *b, uint32_t at, uint32_t n, uint32_t value);

/* Whether the captured graph reads or writes a block. */
bool in_graph(const struct block *b);

/* Captures an operation; false where it can't be. */
bool capture(struct node n);

#endif
