/* See tsan.c. */
#ifndef MGPU_MODEL_TSAN_H
#define MGPU_MODEL_TSAN_H

#include <stdbool.h>
#include <stdint.h>

/* Called first, from Go: from now on calls of C order nothing. */
void judge_start(void);

/* Has the detector leave the calling goroutine alone, in C and in Go; nests. */
void judge_quiet(bool on);

/* The fault that the code of both languages has; 0: none. See test/model/faults_test.go. */
extern int judge_fault;

#endif
