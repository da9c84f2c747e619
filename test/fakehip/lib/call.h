/* The common part of all calls: they are counted, take their time, and fail if a rule says so. */
#ifndef FAKEHIP_CALL_H
#define FAKEHIP_CALL_H

#include <stdbool.h>

#include "types.h"

enum function {
#define F(name, fault, parameters, arguments) call_##name,
#define D(name, fault, type) call_##name,
#define S(name) call_##name,
#include "functions.h"
#undef F
#undef D
#undef S
  /* Work of streams is counted and fails like calls. */
  call_kernel,
  call_copy,
  call_fill,
  call_functions
};

extern const char *const call_name[call_functions];

/* Returns the name of the call or kernel that the calling thread executes. */
extern _Thread_local const char *call_current;

/* Begins a call: what is not hipSuccess is what it fails with, without being made. */
hipError_t call_begin(enum function f);

/* Ends it: keeps an error as the thread's last one and returns it. */
hipError_t call_end(enum function f, hipError_t e);

/* Returns the thread's last error, and forgets it if reset. */
hipError_t call_last_error(bool reset);

/* The same for work of a stream; sets no last error. */
hipError_t call_on_stream(enum function f);

/* Returns the number of the latest call of a function. */
uint64_t call_count(enum function f);

/* Returns the function with a name, call_functions if there is none. */
enum function call_find(const char *name, size_t length);

/* Makes each call append its name to a file. */
void call_trace(const char *path);

/* Writes the counts that are not 0, a line each. */
void call_write_counts(const char *path);

/* Sets all counts to 0. */
void call_clear(void);

#endif
