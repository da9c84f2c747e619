/* What the HIP library for tests has beside HIP: asked for by tests, through dlsym or by linking.
 *
 * Environment, read when the library is loaded:
 *   FAKEHIP_DEVICES=n        how many devices there are (1)
 *   FAKEHIP_MEMORY=bytes     memory of each device (4 GiB), with K, M or G after the number
 *   FAKEHIP_FAIL=rules       calls that fail: function:nth[+][:error], separated by commas. "hipMalloc:2" fails the second
 *                            call with the function's usual error, "hipMalloc:2+:hipErrorUnknown" the second and all later
 *                            ones. Functions that are none: "kernel", "copy" and "fill" fail on the stream, which a later
 *                            synchronize tells; "*" is any function, so "*:100+:hipErrorLaunchFailure" is a device
 *                            that is lost at the hundredth call.
 *   FAKEHIP_STICKY=1         after a failed kernel, copy or fill every call fails as it did, as HIP 7 and CUDA have it; without,
 *                            the first synchronize of the stream tells it, and everything goes on
 *   FAKEHIP_COSTS=costs      time that calls take: function=microseconds, separated by commas, after an optional preset
 *                            (gfx906, mi300x). "kernel" is the time of each kernel on its stream.
 *   FAKEHIP_COUNTS=path      how often each function was called is written there at exit
 *   FAKEHIP_TRACE=path       each call appends its function's name there, a line each
 *   FAKEHIP_STRICT=1         a violation makes the process's exit status 86, where it would be 0
 *   FAKEHIP_UNCHECKED=1      a call with a stream that was destroyed ends the process, as libcuda does
 *   FAKEHIP_IGNORE=kinds     kinds of violations that are not looked for, separated by commas: argument, device, fork, handle,
 *                            image, leak, memory, order
 *
 * A violation is one line on stderr: "fakehip: <kind>: <call>: <what>". */
#ifndef FAKEHIP_H
#define FAKEHIP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* How often a function was called, or "kernel", "copy" or "fill" was executed; 0 for unknown names. */
uint64_t fakehip_count(const char *function);

/* How many violations of a kind there were so far; of all kinds for NULL. */
uint64_t fakehip_violations(const char *kind);

/* How many of "stream", "event", "module", "memory" or "registration" live. */
uint64_t fakehip_live(const char *what);

/* Replaces the rules of FAKEHIP_FAIL and sets all counts to 0; NULL and "" mean no rules. Returns 0, or -1 with a line on
 * stderr where a rule can't be read; the old ones then stay. An error that sticks is forgotten. */
int fakehip_fail(const char *rules);

/* Replaces the costs of FAKEHIP_COSTS; as fakehip_fail. */
int fakehip_costs(const char *costs);

/* Has watch called at both ends of every call, on the calling thread: before the call does its work, with over 0, and
 * when that is done and the call has not returned, with over 1. NULL: no more. Not while other threads make calls. */
void fakehip_watch(void (*watch)(const char *function, int over));

/* Does what is done at exit, for hosts that end without it: looks for leaks and writes FAKEHIP_COUNTS. Returns the number of
 * violations. */
uint64_t fakehip_report(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
