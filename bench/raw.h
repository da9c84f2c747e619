/* A vendor's library as a careful program uses it: what the measured libraries
 * stand between. raw_cuda.c and raw_hip.c implement it. A call that fails ends
 * the program: a failure must not be timed. */
#ifndef BENCH_RAW_H
#define BENCH_RAW_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Opens the library and device 0. Returns NULL, or why that did not work. */
const char *raw_open(void);

/* Prints the device and the versions. */
void raw_describe(FILE *out);

/* Makes device 0 the calling thread's: each thread calls it once. */
void raw_bind(void);

/* Ticks of the device's steady clock in a microsecond; 0: not known. */
double raw_ticks_per_us(void);

void *raw_module(const void *image);
void *raw_function(void *module, const char *name);
void *raw_stream(void);
void raw_stream_destroy(void *stream);
void raw_stream_synchronize(void *stream);

/* Launches one thread; launches blocks of threads, by their numbers in x, y and z. */
void raw_launch(void *function, void *stream, void **params);
void raw_launch_blocks(void *function, const unsigned blocks[3],
                       const unsigned threads[3], void *stream, void **params);

/* Events, and streams that wait for them. */
void *raw_event(void);
void raw_event_record(void *event, void *stream);
void raw_stream_wait(void *stream, void *event);

/* Captures what is put into the stream, and what waits for that. The end makes a graph of
 * it that can be launched, or changes the given one to do that. */
void raw_capture(void *stream);
void *raw_captured(void *stream, void *exec);
void raw_graph_launch(void *exec, void *stream);

void *raw_alloc(size_t bytes);
void raw_free(void *device);
/* The same from the driver's own pool, in the order of the stream; NULL where it has
 * none. */
void *raw_pool_alloc(size_t bytes, void *stream);
void raw_pool_free(void *device, void *stream);
void raw_copy(void *dst, const void *src, size_t bytes, void *stream);

/* Loads the image through the measured library, by the function that compilers
 * call for this vendor. */
void *runtime_module(const void *image);

#endif
