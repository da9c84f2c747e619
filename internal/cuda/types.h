/* libcuda's types and numbers, as far as the driver uses them, written for this project.
 * Handle types repeat the vendor's declarations exactly, so a file that includes both
 * compiles only if they agree. */
#ifndef MGPU_CUDA_TYPES_H
#define MGPU_CUDA_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Compilers give enumerations without negative values an unsigned type. */
typedef unsigned cuda_status;
typedef unsigned cuda_enum;

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlaunchConfig_st CUlaunchConfig;
typedef struct CUtensorMap_st CUtensorMap;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUDA_KERNEL_NODE_PARAMS_v2_st CUDA_KERNEL_NODE_PARAMS;
typedef struct CUDA_MEMCPY3D_st CUDA_MEMCPY3D;
typedef struct CUDA_MEMSET_NODE_PARAMS_st CUDA_MEMSET_NODE_PARAMS;

/* The part of a table after its functions. */
struct state {
  CUcontext *
      primary; /* by device: its primary context, retained once; NULL: not retained yet */
};

/* The contents of a CUlaunchConfig and its attributes. */
struct cuda_launch_attribute {
  cuda_enum id;
  char pad[8 - sizeof(cuda_enum)];
  union {
    char pad[64];
    int number;
    struct {
      unsigned x, y, z;
    } dim;
  } value;
};
struct cuda_launch_config {
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned shared;
  CUstream stream;
  struct cuda_launch_attribute *attributes;
  unsigned count;
};

/* The parameters of graph nodes. */
struct cuda_kernel_node {
  CUfunction function;
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned shared;
  void **params, **extra;
  void *kernel; /* instead of function */
  CUcontext context;
};
struct cuda_copy_side {
  size_t x, y, z, level;
  cuda_enum type;
  void *host;
  CUdeviceptr device;
  void *array, *reserved;
  size_t pitch, height;
};
struct cuda_copy_node {
  struct cuda_copy_side from, to;
  size_t width, height, depth;
};
struct cuda_fill_node {
  CUdeviceptr dst;
  size_t pitch;
  unsigned value, size;
  size_t width, height;
};

/* The numbers: NUMBER(name here, the vendor's name, value). */
#define CUDA_NUMBERS(NUMBER)                                                   \
  NUMBER(stream_non_blocking, CU_STREAM_NON_BLOCKING, 1)                       \
  NUMBER(event_disable_timing, CU_EVENT_DISABLE_TIMING, 2)                     \
  NUMBER(attach_global, CU_MEM_ATTACH_GLOBAL, 1)                               \
  NUMBER(register_portable, CU_MEMHOSTREGISTER_PORTABLE, 1)                    \
  NUMBER(register_devicemap, CU_MEMHOSTREGISTER_DEVICEMAP, 2)                  \
  NUMBER(jit_error_log, CU_JIT_ERROR_LOG_BUFFER, 5)                            \
  NUMBER(jit_error_log_bytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, 6)           \
  NUMBER(jit_optimization_level, CU_JIT_OPTIMIZATION_LEVEL, 7)                 \
  NUMBER(function_shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 1)              \
  NUMBER(function_max_dynamic_shared,                                          \
         CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8)                   \
  NUMBER(device_max_shared,                                                    \
         CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97)            \
  NUMBER(device_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75)       \
  NUMBER(device_minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76)       \
  NUMBER(launch_cooperative_attribute, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, 2)     \
  NUMBER(launch_cluster_attribute, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 4)   \
  NUMBER(launch_policy_attribute,                                              \
         CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, 5)          \
  NUMBER(policy_spread, CU_CLUSTER_SCHEDULING_POLICY_SPREAD, 1)                \
  NUMBER(memory_host, CU_MEMORYTYPE_HOST, 1)                                   \
  NUMBER(memory_unified, CU_MEMORYTYPE_UNIFIED, 4)                             \
  NUMBER(pointer_type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 2)                    \
  NUMBER(pointer_buffer_id, CU_POINTER_ATTRIBUTE_BUFFER_ID, 7)                 \
  NUMBER(pointer_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, 8)                  \
  NUMBER(not_capturing, CU_STREAM_CAPTURE_STATUS_NONE, 0)                      \
  NUMBER(success, CUDA_SUCCESS, 0)                                             \
  NUMBER(invalid_value, CUDA_ERROR_INVALID_VALUE, 1)                           \
  NUMBER(out_of_memory, CUDA_ERROR_OUT_OF_MEMORY, 2)                           \
  NUMBER(stub_library, CUDA_ERROR_STUB_LIBRARY, 34)                            \
  NUMBER(device_unavailable, CUDA_ERROR_DEVICE_UNAVAILABLE, 46)                \
  NUMBER(no_device, CUDA_ERROR_NO_DEVICE, 100)                                 \
  NUMBER(invalid_device, CUDA_ERROR_INVALID_DEVICE, 101)                       \
  NUMBER(invalid_image, CUDA_ERROR_INVALID_IMAGE, 200)                         \
  NUMBER(invalid_context, CUDA_ERROR_INVALID_CONTEXT, 201)                     \
  NUMBER(no_binary_for_gpu, CUDA_ERROR_NO_BINARY_FOR_GPU, 209)                 \
  NUMBER(invalid_ptx, CUDA_ERROR_INVALID_PTX, 218)                             \
  NUMBER(jit_compiler_not_found, CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221)       \
  NUMBER(unsupported_ptx_version, CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222)     \
  NUMBER(jit_compilation_disabled, CUDA_ERROR_JIT_COMPILATION_DISABLED, 223)   \
  NUMBER(invalid_source, CUDA_ERROR_INVALID_SOURCE, 300)                       \
  NUMBER(invalid_handle, CUDA_ERROR_INVALID_HANDLE, 400)                       \
  NUMBER(not_found, CUDA_ERROR_NOT_FOUND, 500)                                 \
  NUMBER(not_ready, CUDA_ERROR_NOT_READY, 600)                                 \
  NUMBER(illegal_address, CUDA_ERROR_ILLEGAL_ADDRESS, 700)                     \
  NUMBER(launch_out_of_resources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701)     \
  NUMBER(launch_timeout, CUDA_ERROR_LAUNCH_TIMEOUT, 702)                       \
  NUMBER(context_is_destroyed, CUDA_ERROR_CONTEXT_IS_DESTROYED, 709)           \
  NUMBER(kernel_assert, CUDA_ERROR_ASSERT, 710)                                \
  NUMBER(already_registered, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712)   \
  NUMBER(not_registered, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713)           \
  NUMBER(hardware_stack_error, CUDA_ERROR_HARDWARE_STACK_ERROR, 714)           \
  NUMBER(illegal_instruction, CUDA_ERROR_ILLEGAL_INSTRUCTION, 715)             \
  NUMBER(misaligned_address, CUDA_ERROR_MISALIGNED_ADDRESS, 716)               \
  NUMBER(invalid_address_space, CUDA_ERROR_INVALID_ADDRESS_SPACE, 717)         \
  NUMBER(invalid_pc, CUDA_ERROR_INVALID_PC, 718)                               \
  NUMBER(launch_failed, CUDA_ERROR_LAUNCH_FAILED, 719)                         \
  NUMBER(cooperative_too_large, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720)  \
  NUMBER(not_supported, CUDA_ERROR_NOT_SUPPORTED, 801)                         \
  NUMBER(system_driver_mismatch, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803)       \
  NUMBER(invalid_cluster_size, CUDA_ERROR_INVALID_CLUSTER_SIZE, 912)

#define CUDA_NUMBER(ours, theirs, value) cuda_##ours = value,
enum { CUDA_NUMBERS(CUDA_NUMBER) };

#endif
