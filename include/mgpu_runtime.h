/*===- mgpu_runtime.h - the C contract of libmlir_rocm_runtime.so ----------===*
 *
 * Part of the mgpu project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The functions that MLIR's gpu-to-llvm lowering calls, as LLVM 13 and later
 * emit the calls, and this library's own extensions (prefix mgpux).
 *
 * Rules that hold for every function
 *
 *   Errors     A failing call prints one line on standard error,
 *                  '<call>' failed with '<name>': <what and why>
 *              returns NULL (or zero, or nothing) and changes nothing. The next
 *              call works, unless the device is lost, as an NVIDIA GPU is
 *              after a kernel's stray access. With MGPU_ON_ERROR=abort the
 *              process stops instead. Handles that are NULL, unknown or
 *              already destroyed are errors. Use of a destroyed stream, event
 *              or module is reported the first time only; such a call does
 *              nothing. Calls that fail only because no driver can be opened,
 *              or because a load or a look-up returned NULL, are counted after
 *              the first line, and the counts are printed at exit.
 *   Threads    Any function may be called from any thread at any time, also
 *              from constructors, destructors and exit handlers. The current
 *              device belongs to the calling thread.
 *   Fork       A child of a process that already called a function here may
 *              exec, but not call: its calls fail.
 *   Streams    A stream is a queue of work of one device. NULL is the device's
 *              default stream wherever a stream is asked for, unless said
 *              otherwise. "Asynchronous" means: the work is queued on the
 *              stream and may run after the call has returned; its failure is
 *              reported once, by a later synchronize of the stream or of one
 *              that waited for it. A function that does not say that it waits
 *              does not wait for the device.
 *   Old code   Arguments that a release of LLVM does not pass arrive as garbage
 *              and change nothing: blobSize, asmSize and paramsCount are never
 *              read, of isHostShared only the low byte counts (and only with a
 *              NULL stream), of a 16-bit value only the low 16 bits.
 *   Sources    The mgpu functions do what MLIR's own wrappers do
 *              (mlir/lib/ExecutionEngine/RocmRuntimeWrappers.cpp and
 *              CudaRuntimeWrappers.cpp): one call of the driver each, whose
 *              documentation holds where this file says nothing. LLVM 13 and
 *              later call them, or LLVM from the release on that is named. The
 *              mgpux functions are this library's own.
 *   Ownership  What a *Create, *Alloc or *Load function returns belongs to the
 *              caller until it is given to the matching *Destroy, *Free or
 *              *Unload. Until then it may be given to the functions of the
 *              vendor's library (HIP or CUDA), because it is the driver's own
 *              handle or pointer. The exception is the module of a deferred load
 *              (mgpuModuleLoad).
 *              The vendor's functions may destroy it instead, once:
 *                stream   hipStreamDestroy, cuStreamDestroy
 *                event    hipEventDestroy
 *                module   hipModuleUnload, cuModuleUnload, for all loads that
 *                         returned the handle
 *                memory   hipFree, cuMemFree
 *              Do not pass it to this library after that: CUDA crashes in calls
 *              with a destroyed stream or event, HIP 6 and 7 with an event.
 *              mgpuMemFree frees memory of the vendor's functions, too.
 *              hipDeviceReset and cudaDeviceReset end all handles of the
 *              device; later calls create new ones.
 *              docs/semantics.md has a table of what else a program may do.
 *   Settings   Environment variables MGPU_* (docs/settings.md) are read once, at
 *              the process's first call; what the program sets later changes
 *              nothing. A setuid or setgid program has no settings.
 *   Files      What a setting or a call names is written without a signal
 *              (SIGXFSZ, SIGPIPE) and without waiting for a reader. A symbolic
 *              link, a pipe or a folder of that name is an error and stays as
 *              it is. /dev/stdout and /dev/stderr are the process's own
 *              output, and no place for a timeline.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MGPU_RUNTIME_H
#define MGPU_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*---- Modules and functions -------------------------------------------------*/

/* Loads the code object at data for the current device: an AMDGPU code object (HSACO)
 * or offload bundle with the hip driver and the software GPU, a cubin, fatbin or PTX
 * text with the cuda driver. Its length is read from the image itself; the image
 * needs no alignment and may be freed or overwritten as soon as the call has
 * returned. Loading the same bytes again is cheap and may return the same handle,
 * unless the module has variables that kernels write or that the host can name and
 * set: each load of such a module creates another one. Every handle returned needs
 * one mgpuModuleUnload. Returns NULL if the image is NULL, damaged, or for another
 * device. A load by a global constructor before any other call, of an image among the
 * constants of its program or library, is deferred to the first
 * mgpuModuleGetFunction, which reports its errors. The handle is then this library's
 * own, not the driver's. With MGPU_CACHE=off no load is deferred. Does not wait for
 * queued work. From LLVM 18 on with blobSize. */
void *mgpuModuleLoad(void *data, size_t blobSize);

/* Compiles the NUL-terminated PTX text at data at optimization level opt (0 to
 * 4) and loads it. Only the cuda driver compiles; with another one the call
 * fails. Ownership as with mgpuModuleLoad.
 * From LLVM 18 on, from 23 on with asmSize. */
void *mgpuModuleLoadJIT(void *data, int32_t opt, size_t asmSize);

/* Releases a module. Its queued and running kernels still finish. Its functions must
 * not be launched afterwards. If the driver unloads the module, the call may wait for
 * the device. Silently does nothing during process exit and in a child of fork. */
void mgpuModuleUnload(void *module);

/* Finds the kernel with the NUL-terminated name, for the current device. The first
 * time, a module of another device is loaded on this device too, and stays until it
 * is unloaded; this is an error if it has variables that kernels write or that the
 * host can name and set. If the program changed the device by a driver's call and not
 * by mgpuSetDefaultDevice, the thread may get the function of the previous device.
 * The result is valid until the module is unloaded. NULL if the module has no such
 * kernel. */
void *mgpuModuleGetFunction(void *module, const char *name);

/*---- Launches --------------------------------------------------------------*/

/* Launches gridX*gridY*gridZ workgroups of blockX*blockY*blockZ work-items with
 * smem bytes of dynamic workgroup memory. Every dimension is at least 1.
 * params points to one pointer per kernel argument; extra is the driver's packed
 * form; one of the two may be NULL, and both for a kernel without arguments.
 * Both, and what they point to, are read during the call only. Asynchronous.
 * From LLVM 18 on with paramsCount. */
void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t smem, void *stream,
                      void **params, void **extra, size_t paramsCount);

/* The same for a grid in clusters of clusterX*clusterY*clusterZ workgroups.
 * Fails if the driver has no clusters. From LLVM 18 on. */
void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t smem, void *stream, void **params,
                             void **extra);

/* The same for a grid whose workgroups are all resident at once, so that they may
 * wait for each other. A cluster of 0, 0, 0 means none. Note the order: the grid
 * comes before the cluster. Fails if the grid does not fit on the device or the
 * driver has no such launch. From LLVM 23 on. */
void mgpuLaunchKernelCooperative(void *function, intptr_t gridX, intptr_t gridY,
                                 intptr_t gridZ, intptr_t clusterX,
                                 intptr_t clusterY, intptr_t clusterZ,
                                 intptr_t blockX, intptr_t blockY,
                                 intptr_t blockZ, int32_t smem, void *stream,
                                 void **params, void **extra);

/*---- Streams ---------------------------------------------------------------*/

/* Returns an idle stream of the current device, for this caller alone. */
void *mgpuStreamCreate(void);

/* Releases a stream. Its queued work still finishes; the call does not wait. If the
 * program captures the stream, the capture ends without a graph. NULL is an error. */
void mgpuStreamDestroy(void *stream);

/* Waits until all work queued on the stream is done, and reports its failures. */
void mgpuStreamSynchronize(void *stream);

/* Makes work queued on stream from now on wait for the event's last record. A stream
 * passed as event stands for all work queued on that stream now. Asynchronous: the
 * caller does not wait. */
void mgpuStreamWaitEvent(void *stream, void *event);

/*---- Events ----------------------------------------------------------------*/

/* Returns an event of the current device, without timing, never recorded. */
void *mgpuEventCreate(void);

/* Releases an event; queued waits for it stay valid. A stream passed as event is
 * released as by mgpuStreamDestroy. */
void mgpuEventDestroy(void *event);

/* Waits until the event's last record is reached; returns at once if it was never
 * recorded. A stream passed as event is waited for as by mgpuStreamSynchronize. */
void mgpuEventSynchronize(void *event);

/* Records in event all work queued on stream now. Asynchronous. */
void mgpuEventRecord(void *event, void *stream);

/*---- Memory ----------------------------------------------------------------*/

/* Allocates sizeBytes bytes on the current device, uninitialized, aligned for any
 * type, for use on any stream; stream has no other effect. With isHostShared 1 and a
 * NULL stream the host may access them too. Zero bytes give NULL without an error.
 * From LLVM 18 on with isHostShared. */
void *mgpuMemAlloc(uint64_t sizeBytes, void *stream, uint8_t isHostShared);

/* Frees memory of mgpuMemAlloc, whichever stream used it; stream has no effect. The
 * memory is reused once all work queued before is done. The call waits for that, and
 * may report a failure of it, with MGPU_MEM_CACHE=off, and with strict, the default,
 * once the program
 *   - has got memory that the host reads: isHostShared, mgpuMemHostRegister;
 *   - has copied from or to, or filled, memory that the vendor's functions have
 *     page-locked or allocated as managed;
 *   - has looked up a kernel that prints or calls the host otherwise; or
 *   - has passed a stream that this library did not create;
 * and while work is pending on a destroyed stream that the library did not keep. A
 * free that does not wait does not affect running work; what is queued later, on any
 * stream, follows that work. NULL is allowed. */
void mgpuMemFree(void *ptr, void *stream);

/* Copies sizeBytes bytes; either side may be host or device memory, the two must not
 * overlap. Asynchronous: src must stay unchanged, and dst unread, until the stream
 * has passed the copy. With unregistered host memory the call may wait for the
 * stream. */
void mgpuMemcpy(void *dst, void *src, size_t sizeBytes, void *stream);

/* Fills count elements of 32 bits (not bytes) at dst, which is aligned to 4.
 * Asynchronous. From LLVM 14 on. */
void mgpuMemset32(void *dst, uint32_t value, size_t count, void *stream);

/* Fills count elements of 16 bits (not bytes) at dst, which is aligned to 2.
 * Asynchronous. From LLVM 17 on. */
void mgpuMemset16(void *dst, uint16_t value, size_t count, void *stream);

/*---- Host memory -----------------------------------------------------------*/

/* Page-locks sizeBytes bytes of host memory and lets the device reach them,
 * until mgpuMemHostUnregister or the end of the process. */
void mgpuMemHostRegister(void *ptr, uint64_t sizeBytes);

/* Undoes mgpuMemHostRegister; ptr is what was given to it, anything else an
 * error. May wait for work queued on the device. From LLVM 17 on. */
void mgpuMemHostUnregister(void *ptr);

/* The same for the elements of an unranked memref: rank, the address of its
 * descriptor { allocated, aligned, offset, sizes[rank], strides[rank] }, and the size
 * of an element in bytes. The descriptor is read during the call only. It is an error
 * if the descriptor can't be read or the elements are not contiguous; a memref
 * without elements is ignored. The second is called from LLVM 17 on. */
void mgpuMemHostRegisterMemRef(int64_t rank, void *descriptor,
                               int64_t elementSizeBytes);
void mgpuMemHostUnregisterMemRef(int64_t rank, void *descriptor,
                                 int64_t elementSizeBytes);

/* A one-dimensional memref as MLIR passes it by value. */
struct mgpu_memref1d_f32 {
  float *allocated, *aligned;
  int64_t offset, size, stride; /* in elements */
};
struct mgpu_memref1d_i32 {
  int32_t *allocated, *aligned;
  int64_t offset, size, stride;
};

/* The device's view of registered host memory: the memref of the arguments with the
 * device's address of aligned in both pointers, which are NULL after an error. Valid
 * until the memory is unregistered. */
struct mgpu_memref1d_f32
mgpuMemGetDeviceMemRef1dFloat(float *allocated, float *aligned, int64_t offset,
                              int64_t size, int64_t stride);
struct mgpu_memref1d_i32
mgpuMemGetDeviceMemRef1dInt32(int32_t *allocated, int32_t *aligned,
                              int64_t offset, int64_t size, int64_t stride);

/*---- Tensor maps -----------------------------------------------------------*/

/* Descriptors by which NVIDIA GPUs of compute capability 9.0 and later copy tiles;
 * only the cuda driver has them. Types and modes are CUDA's numbers
 * (CUtensorMapDataType, CUtensorMapInterleave, CUtensorMapSwizzle,
 * CUtensorMapL2promotion, CUtensorMapFloatOOBfill). */

/* Encodes a tensor map of 128 bytes, aligned to 64, at tensorMap, in host memory.
 * rank is 1 to 5; the lists begin with the innermost dimension: sizes of the
 * tensor and of a tile in elements, strides in bytes, one fewer and without that
 * of the innermost dimension, elementStrides in elements. From LLVM 17 on. */
void mgpuTensorMapEncodeTiled(void *tensorMap, uint32_t dataType, uint32_t rank,
                              void *globalAddress, const uint64_t *globalDim,
                              const uint64_t *globalStrides,
                              const uint32_t *boxDim,
                              const uint32_t *elementStrides,
                              uint32_t interleave, uint32_t swizzle,
                              uint32_t l2Promotion, uint32_t oobFill);

/* The same for a memref: the address of its descriptor { allocated, aligned, offset,
 * sizes[rank], strides[rank] } and the sizes of a tile, outermost first. The tensor
 * begins at aligned; offset is not read, as in MLIR's own runtime. Returns the tensor
 * map in device memory, which the caller owns as if mgpuMemAlloc had returned it;
 * NULL after an error. Waits until it is there. From LLVM 17 on. */
void *mgpuTensorMapEncodeTiledMemref(int64_t rank, void *descriptor,
                                     uint32_t dataType, uint32_t interleave,
                                     uint32_t swizzle, uint32_t l2Promotion,
                                     uint32_t oobFill, int64_t *boxSizes);

/*---- Devices ---------------------------------------------------------------*/

/* Makes device (from 0) the calling thread's current device. If it does not exist, an
 * error says how many devices there are and nothing changes. Threads begin with
 * device 0, or with the one that MGPU_DEVICE names. From LLVM 15 on. */
void mgpuSetDefaultDevice(int32_t device);

/* Returns the number of devices; 0 and an error if no driver can be opened. */
int32_t mgpuxGetDeviceCount(void);

/*---- Extensions: errors ----------------------------------------------------*/

/* Kinds of failures. Later versions add some at the end. */
enum mgpux_status {
  mgpux_ok,
  mgpux_unknown_error, /* any that has no kind of its own */
  mgpux_invalid_value,
  mgpux_invalid_handle,
  mgpux_invalid_device,
  mgpux_invalid_image,
  mgpux_wrong_arch, /* a code object of another chip */
  mgpux_not_found,
  mgpux_not_supported,
  mgpux_not_ready,
  mgpux_out_of_memory,
  mgpux_no_device, /* no driver can be opened */
  mgpux_launch_failure
};

/* Returns the kind of the calling thread's first failure since the last
 * mgpuxTakeError, mgpux_ok if there was none, and clears it. Writes its line, or an
 * empty one, to the size bytes at text, truncated to fit with a NUL; text may be
 * NULL. A failing kernel is a failure of the call that reports it. The library's own
 * questions to the driver do not count. Works in a child of fork too. */
int32_t mgpuxTakeError(char *text, size_t size);

/* Drops the calling thread's failure, and keeps the lines of further ones instead of
 * printing them, until the thread's next mgpuxTakeError: the text is then all lines,
 * with newlines between them. For callers that report failures in their own way, as
 * exceptions. Kept lines that are not taken are printed: at the next mgpuxHoldErrors,
 * by mgpuxTakeError without text, and when the thread ends or the process exits.
 * Printed at once are lines beyond 4000 bytes, a failed allocation of memory that the
 * host uses, and all lines with MGPU_ON_ERROR=abort. Works in a child of fork too. */
void mgpuxHoldErrors(void);

/*---- Extensions: device memory ----------------------------------------------*/

/* Creates an allocation cache, which is a scope: memory that mgpuMemAlloc returns to
 * a thread between Begin and End belongs to the cache. From End on the cache may
 * reuse it, freed or not, and the program must not use it. Memory that the program
 * frees earlier is reused within the scope. If a free block of the right size is
 * still in use by queued work, an allocation waits for that work instead of growing
 * the cache, so a loop needs no more memory than its first iteration. With
 * MGPU_MEM_CACHE=off the calls succeed and do nothing. NULL after an error. */
void *mgpuxAllocCacheCreate(void);

/* Opens and closes the scope for the calling thread. Scopes nest; the innermost one
 * is used. A cache may be open on several threads, and several times on one thread.
 * It is an error to close another scope than the thread's last one; nothing is closed
 * then. */
void mgpuxAllocCacheBegin(void *cache);
void mgpuxAllocCacheEnd(void *cache);

/* Returns the cache's free blocks to the driver; with NULL the free blocks of all
 * devices, also those outside of scopes. Returns the number of bytes, 0 after an
 * error. May wait for the device. */
uint64_t mgpuxAllocCacheTrim(void *cache);

/* Destroys a cache. It is an error if the cache is open on any thread; nothing
 * happens then. */
void mgpuxAllocCacheDestroy(void *cache);

/* Returns the number of a cache's free blocks (what = 0) or busy blocks (1), or the
 * bytes of both (2). 0 after an error. */
uint64_t mgpuxAllocCacheInfo(void *cache, int32_t what);

/* Returns a buffer of at least sizeBytes bytes of the current device's memory that
 * belongs to the key (a function, or any address or number) and the stream: the same
 * one at each call, until a larger one is requested. The new one is at least twice as
 * large (exactly as large as requested if the library caches no device memory) and
 * does not have the old contents. If there is no memory for it, the old one stays
 * valid. Users of one key and stream run one after the other. With 0 bytes the call
 * returns the existing buffer. NULL after an error; a stream that does not exist is
 * one. The library owns the buffer for the life of the process; with MGPU_CACHE=off,
 * until the stream is destroyed. */
void *mgpuxScratch(void *key, uint64_t sizeBytes, void *stream);

/* Writes all blocks of device memory to the file at path, as JSON: address, bytes,
 * state, age and the call that allocated them. An existing file is replaced once the
 * new one is complete. Returns 0, or -1 after an error. */
int32_t mgpuxMemorySnapshot(const char *path);

/* 1 while the program captures the stream by the driver's own call (hipStreamBeginCapture,
 * cuStreamBeginCapture), else 0: also for drivers that can't capture, and after an error.
 * NULL is the default stream. A wait for a stream that is captured fails, and ends the
 * capture. */
int32_t mgpuxStreamIsCapturing(void *stream);

/* A device's memory, managed memory included. Later versions add members at the end
 * only. */
struct mgpux_memory_stats {
  uint64_t size;     /* bytes of this struct that were filled in */
  uint64_t live;     /* bytes that the program has, as blocks: up to 12.5 %
                             * more than it asked for */
  uint64_t peak;     /* the highest value of live, with the free blocks that
                             * threads keep for themselves */
  uint64_t reserved; /* bytes that the driver gave */
  uint64_t cached;   /* of those, bytes that are free or wait for work */
  uint64_t hits;     /* allocations answered with a free block */
  uint64_t waited;   /* allocations answered with one that had been waiting */
  uint64_t misses;   /* allocations made by the driver */
  uint64_t deferred; /* frees while work was pending: the block waits */
  uint64_t device_waits; /* frees that waited for the device, as drivers' do */
  uint64_t scope_waits; /* allocations that waited for a block of their scope */
  uint64_t released;    /* blocks given back to the driver */
  uint64_t flushes;     /* times that all were, since memory had run out */
  uint64_t queries;     /* questions to the driver whether work is done */
  uint64_t unused[2];   /* 0 */
  /* Of device_waits, why: the host sees memory or output without a further call; the
   * program uses streams of other libraries; it destroyed streams with work pending. */
  uint64_t waits_shared, waits_foreign, waits_abandoned;
};

/* As mgpuxGetStats, for one device. Zeros with MGPU_MEM_CACHE=off. Returns 0, and
 * writes nothing, if there is no such device, or before the first call that needs
 * one. */
size_t mgpuxGetMemoryStats(int32_t device, struct mgpux_memory_stats *out,
                           size_t size);

/*---- Extensions: statistics ------------------------------------------------*/

/* Counts of calls since the process started. */
struct mgpux_counters {
  uint64_t calls;
  uint64_t driver_calls; /* made for them */
  uint64_t hits;         /* answered from a pool or cache */
  uint64_t misses;       /* for which the driver had to be asked */
  uint64_t refusals;     /* module loads that could not be shared */
  uint64_t driver_ns;    /* nanoseconds in the driver; measured, as total_ns, */
  uint64_t total_ns;     /* only with MGPU_STATS=1, zero otherwise */
};

/* Later versions add members at the end only. */
struct mgpux_stats {
  uint64_t size;      /* bytes of this struct that were filled in */
  uint64_t functions; /* indices of mgpuxGetFunctionStats: 0 to this - 1 */
  uint64_t
      heap_allocations; /* objects that the library allocated on its heap */
  char driver[16]; /* "hip", "cuda", "soft", "null"; "" before the first call */
  char device[64]; /* name of device 0 */
  uint64_t cache;  /* 0 with MGPU_CACHE=off, else 1 */
  struct mgpux_counters total;
  /* Bytes of all devices' memory, as in mgpux_memory_stats. */
  uint64_t memory_live, memory_peak, memory_reserved, memory_cached;
};

struct mgpux_function_stats {
  char name[48]; /* "mgpuModuleLoad" */
  struct mgpux_counters counters;
};

/* Writes at most size bytes of the statistics to out and their number to its size
 * member. Returns the size of the library's struct. With a NULL out it only returns
 * that size. Calls in progress may be counted in part. */
size_t mgpuxGetStats(struct mgpux_stats *out, size_t size);

/* The same for one function of this header. Returns 0, and writes nothing, if
 * there is no function with that index. */
size_t mgpuxGetFunctionStats(size_t index, struct mgpux_function_stats *out,
                             size_t size);

/* A reason why loaded modules were not shared. */
struct mgpux_refusal {
  uint64_t times;
  char reason[248]; /* cut short where it is longer */
};

/* The same for the reason with that index, from 0, in the order of their texts: a
 * new reason may move others. Returns 0, and writes nothing, if there is none. */
size_t mgpuxGetRefusal(size_t index, struct mgpux_refusal *out, size_t size);

/*---- Extensions: ranks ------------------------------------------------------*/

/* The process among those that a process manager has started together, by its
 * variables (docs/several-gpus.md). */
struct mgpux_rank {
  uint64_t size;       /* bytes of this struct that were filled in */
  int32_t local;       /* on this machine, from 0; 0 where nothing says so */
  int32_t local_ranks; /* ranks on this machine; 0: unknown */
  int32_t world;       /* among all ranks; -1: unknown */
  int32_t ranks;       /* in all; 0: unknown */
};

/* Writes at most size bytes of it to out, and returns the size of the struct that
 * the library knows. Needs no driver, and opens none. */
size_t mgpuxGetRank(struct mgpux_rank *out, size_t size);

/*---- Extensions: kernels ----------------------------------------------------*/

/* An argument of a kernel, by the metadata of its code object. */
struct mgpux_kernel_argument {
  uint64_t bytes;  /* of its value */
  uint64_t offset; /* in the kernarg segment */
  char kind[24];   /* "global_buffer", "by_value", ... */
  char name[64];   /* cut short where it is longer; "" where there is none */
};

/* Writes at most size bytes of what is known of the argument with that index, from
 * 0, of a kernel of a module that mgpuModuleLoad has returned, and returns the size
 * of the struct that the library knows. Arguments that the runtime supplies are not
 * counted. Returns 0, and writes nothing, if there is no such argument, or nothing
 * is known of the kernel, as of all in a cubin or PTX. */
size_t mgpuxGetKernelArgument(void *module, const char *kernel, size_t index,
                              struct mgpux_kernel_argument *out, size_t size);

/*---- Extensions: graphs ----------------------------------------------------*/

/* Work that a thread submits between mgpuxGraphBegin and mgpuxGraphEnd is recorded
 * and launched at the end as one graph: launches, copies to device memory and fills,
 * in the order that streams, events and waits give them. Streams, events, modules and
 * functions may be created, looked up and destroyed meanwhile. docs/graphs.md has an
 * example.
 *
 * Allocations of device memory are made at once. Memory that is allocated and freed
 * within the recording belongs to the graph until the graph changes or is destroyed;
 * the next recording of the key gets the same blocks.
 *
 * A call that can't be recorded ends the recording: an allocation of managed memory,
 * a free of memory from before the recording, a copy to host memory, a large copy
 * from it, host registration, a cooperative or cluster launch, work on streams of
 * other libraries, on the default stream or on another device. What was recorded is
 * then executed call by call in its order, and so is the rest; a line on standard
 * error says why, once for each reason. Results are the same.
 *
 * Waits for streams and events, and frees that wait, wait at once for what was queued
 * before mgpuxGraphBegin. Waits for recorded work happen at the end. Until then the
 * program must not read host memory that recorded kernels write, nor write host
 * memory that recorded kernels, or recorded copies from registered memory, read.
 * Recorded work may be executed at the end or from the first call on. Other threads'
 * calls are executed at once, and are not ordered with recorded work.
 *
 * Keys are the program's choice; a graph lives until mgpuxGraphDestroy. */

/* Begins a recording of the calling thread. Returns 1; 0 with an error if the thread
 * records already, or another one records this key; 0 where nothing can be recorded,
 * as with MGPU_CACHE=off: the calls are then executed one by one, and
 * mgpuxGraphLaunch executes them again. If the thread ends before mgpuxGraphEnd,
 * recorded work that has not started is dropped. */
int32_t mgpuxGraphBegin(uint64_t key);

/* Ends the thread's recording, which becomes the key's graph. If the graph exists and
 * differs only in its parameters (functions, sizes, arguments, addresses), it is
 * changed in place, otherwise it is built again. Then the parts that were not launched
 * during the recording are launched. The call waits for the graph if the program
 * waited for any of the recorded work. Returns 1 if a graph was launched, 0 if the
 * calls were executed one by one, or nothing was recorded; an error, and 0, without
 * mgpuxGraphBegin. */
int32_t mgpuxGraphEnd(void);

/* Launches the key's graph as it was last recorded, after the work submitted to the
 * stream before. Copies read registered memory as it is now, and other host memory as
 * it was when it was recorded. Asynchronous. It is an error if there is no such
 * graph, if one of its kernels was unloaded, or if a later recording copied host
 * memory and did not become the graph. A launch while the thread records ends the
 * recording; the graph runs in its place in the recorded order. */
void mgpuxGraphLaunch(uint64_t key, void *stream);

/* Makes the key's graph do what the graph of other does. Returns 1 if the two differ
 * only in their parameters and the graph was changed in place, 0 if it was built
 * again. Memory of the key's old graph is released. Returns -1, with an error, if one
 * of the graphs can't be launched, if they belong to two devices, or if the graph of
 * other allocates memory or copies unregistered host memory. */
int32_t mgpuxGraphUpdate(uint64_t key, uint64_t other);

/* 1 while the calling thread records, else 0, also after a recording has ended early
 * because a call could not be recorded. */
int32_t mgpuxGraphIsRecording(void);

/* Destroys the key's graph. Its queued launches still finish. It is an error if there
 * is no such graph. */
void mgpuxGraphDestroy(uint64_t key);

/*---- Timeline (docs/trace.md) --------------------------------------------*/

/* Starts recording a timeline, as MGPU_TRACE=file does from the first call on. The records
 * go into file.part, of which the command `mgpu trace file` makes the timeline, at any time.
 * Returns 0, or -1: without a line if a recording is under way, which continues; with one if
 * there is no file name or the file can't be created. mgpuxTraceStop ends the recording, and
 * does nothing where none is under way. */
int32_t mgpuxTraceStart(const char *file);
void mgpuxTraceStop(void);

/* mgpuxRangePush begins a range of the calling thread in the timeline, mgpuxRangePop
 * ends the innermost one, mgpuxMark marks a moment. Names are copied. If the process
 * has loaded roctx or NVTX, ranges and marks go there too, and so do regions and
 * scopes. Without a timeline the calls do nothing else. */
void mgpuxRangePush(const char *name);
void mgpuxRangePop(void);
void mgpuxMark(const char *name);

/* Names a stream in the timeline. */
void mgpuxNameStream(void *stream, const char *name);

/* The library's version, "0.2.0", a constant. Does not start the runtime or open a
 * driver. */
#define MGPU_VERSION "0.2.0"
const char *mgpuxVersion(void);

#ifdef __cplusplus
}
#endif

#endif /* MGPU_RUNTIME_H */
