/*===- mgpu_symmetric.h - the C contract of libmgpu_symmetric.so ------------===*
 *
 * Part of the mgpu project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A heap of the same layout in each rank of one machine, where kernels of every
 * rank reach the heaps of all: the functions that mlir-air's runtime (libairgpu.so)
 * adds to MLIR's. The library needs libmlir_rocm_runtime.so.
 *
 * Rules that hold for every function
 *
 *   Ranks      Rank and number of ranks are the process manager's, by the
 *              variables that MGPU_DEVICE=rank knows (docs/several-gpus.md), or
 *              RANK and WORLD_SIZE. Without any there is one rank. Ranks of
 *              several machines are refused.
 *   Collective Functions that say so are called by every rank, in one order and
 *              with the same sizes.
 *   Errors     A failing call prints one line on standard error,
 *                  '<call>' failed with '<what and why>'
 *              returns NULL (or nothing), and changes nothing. With
 *              MGPU_ON_ERROR=abort the process stops. A rank that has ended makes
 *              the collective calls of the others fail; none of them hangs.
 *   Threads    Any thread may call. Collective calls come from one thread of a
 *              process at a time.
 *   Memory     On AMD and NVIDIA GPUs a heap is device memory, which other ranks
 *              map by the driver's IPC handles. On the software GPU it is memory
 *              shared between the processes. Loads and stores of kernels reach
 *              both, atomics too.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MGPU_SYMMETRIC_H
#define MGPU_SYMMETRIC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a heap of heapSize bytes on the rank's device, and maps those of the other
 * ranks. Collective; waits for all ranks, at most AIRGPU_TIMEOUT seconds (60). If
 * MGPU_DEVICE is not set, the calling thread's device becomes the rank's, as with
 * MGPU_DEVICE=rank. AIRGPU_HEAP_SIZE in the environment replaces heapSize.
 * Ranks find each other by AIRGPU_JOB_ID, the process manager's number of the
 * job, or their common parent. */
void mgpuSymmetricHeapInit(uint64_t heapSize);

/* Waits for the device's default stream, then for all ranks, and unmaps and frees
 * the heaps. Collective. Work of other streams that uses a heap must have ended. */
void mgpuSymmetricHeapDestroy(void);

/* Returns sizeBytes bytes of the rank's heap, at a multiple of 256: at the same
 * offset in each rank. Collective, but does not wait for other ranks; stream is not used. NULL
 * if there is no room, and for 0 bytes. The contents are not defined. */
void *mgpuSymmetricAlloc(uint64_t sizeBytes, void *stream);

/* Gives memory back to the rank's heap. Collective, and waits for nothing: all
 * kernels that use it, other ranks' too, must have ended (mgpuBarrier). NULL does
 * nothing. */
void mgpuSymmetricFree(void *ptr, void *stream);

/* The process's rank, and the number of ranks; 0 and 1 without a heap. */
int32_t mgpuGetRank(void);
int32_t mgpuGetWorldSize(void);

/* Where a rank's heap is in this process; NULL without a heap or such a rank. */
void *mgpuGetHeapBase(int32_t rank);

/* The same of all ranks, as an array that kernels may read; NULL without a heap.
 * It belongs to the heap. */
void **mgpuGetHeapBases(void);

/* Waits until every rank has called it. Collective. It synchronizes hosts: wait for
 * the work of streams before. */
void mgpuBarrier(void);

/* mgpuSetDefaultDevice by mlir-air's name. */
void mgpuSetDevice(int32_t device);

/* Writes the milliseconds between two events to *ms and prints them, as
 * hipEventElapsedTime or cuEventElapsedTime returns them, and returns the driver's
 * status. Events of mgpuEventCreate record no times, as with MLIR's library: their
 * status is 400, hipErrorInvalidHandle. Pass events that hipEventCreate made to
 * mgpuEventRecord. On the software GPU the status is 400. */
int32_t mgpuEventElapsedTime(float *ms, void *start, void *stop);

#ifdef __cplusplus
}
#endif

#endif
