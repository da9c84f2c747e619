/* libcuda, opened at the first call. Declared here so that no SDK is needed; vendor.c compares it with the vendor's header,
 * where there is one.
 *
 * HIP's handles are libcuda's own. The current device of a thread is its primary context's, as CUDA's runtime has it. */
#ifndef FAKEHIP_LIBCUDA_H
#define FAKEHIP_LIBCUDA_H

#include "../lib/types.h"

#ifdef FAKEHIP_VENDOR_CUDA
#include <cuda.h>
#else
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUipcMemHandle_st {
  char reserved[64];
} CUipcMemHandle;
typedef struct CUDA_KERNEL_NODE_PARAMS_v2_st CUDA_KERNEL_NODE_PARAMS;
typedef struct CUDA_MEMCPY3D_st CUDA_MEMCPY3D;
typedef struct CUDA_MEMSET_NODE_PARAMS_st CUDA_MEMSET_NODE_PARAMS;
#endif

struct libcuda {
#define C(name, parameters) unsigned(*name) parameters;
#include "functions.h"
#undef C
};

extern struct libcuda cuda;

/* Opens libcuda, and finds its devices. hipErrorNoDevice, and a line on stderr that says why, once, where that fails. */
hipError_t cuda_open(int *devices);

/* Makes the primary context of the calling thread's device current. */
hipError_t cuda_enter(void);

/* HIP's error for libcuda's. */
hipError_t cuda_error(unsigned status);

/* Calls a function of libcuda in the context of the calling thread's device. */
#define CUDA(name, ...)                                                        \
  ({                                                                           \
    hipError_t entered = cuda_enter();                                         \
    entered == hipSuccess ? cuda_error(cuda.name(__VA_ARGS__)) : entered;      \
  })

/* Objects not yet destroyed, which are reported at exit. */
enum live {
  live_stream,
  live_event,
  live_module,
  live_memory,
  live_registration,
  live_kinds
};

/* Notes that one was made, or destroyed, if the call succeeded, and returns the call's error. */
hipError_t created(enum live kind, hipError_t e);
hipError_t destroyed(enum live kind, hipError_t e);

/* Counts a destroy that failed because a rule said so. */
void forgive(enum live kind);

#endif
