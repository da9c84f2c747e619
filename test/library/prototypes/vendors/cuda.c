/* Compiles only where internal/cuda declares libcuda as CUDA's header, of CUDA 12
 * or newer, does. */
#include <cuda.h>

#include "types.h"

#include "same.h"

/* Redeclaring a function with another type is an error. */
#define SYMBOL(need, result, name, params) result name params;
#include "symbols.h"

CUDA_NUMBERS(SAME)

_Static_assert(sizeof(CUresult) == sizeof(cuda_status), "CUresult");
_Static_assert(sizeof(CUlaunchConfig) == sizeof(struct cuda_launch_config),
               "CUlaunchConfig");
_Static_assert(sizeof(CUlaunchAttribute) ==
                   sizeof(struct cuda_launch_attribute),
               "CUlaunchAttribute");

FIELD(CUlaunchConfig, gridDimX, cuda_launch_config, grid_x)
FIELD(CUlaunchConfig, gridDimY, cuda_launch_config, grid_y)
FIELD(CUlaunchConfig, gridDimZ, cuda_launch_config, grid_z)
FIELD(CUlaunchConfig, blockDimX, cuda_launch_config, block_x)
FIELD(CUlaunchConfig, blockDimY, cuda_launch_config, block_y)
FIELD(CUlaunchConfig, blockDimZ, cuda_launch_config, block_z)
FIELD(CUlaunchConfig, sharedMemBytes, cuda_launch_config, shared)
FIELD(CUlaunchConfig, hStream, cuda_launch_config, stream)
FIELD(CUlaunchConfig, attrs, cuda_launch_config, attributes)
FIELD(CUlaunchConfig, numAttrs, cuda_launch_config, count)
FIELD(CUlaunchAttribute, id, cuda_launch_attribute, id)
FIELD(CUlaunchAttribute, value, cuda_launch_attribute, value)
FIELD(CUlaunchAttribute, value.cooperative, cuda_launch_attribute, value.number)
FIELD(CUlaunchAttribute, value.clusterSchedulingPolicyPreference,
      cuda_launch_attribute, value.number)
FIELD(CUlaunchAttribute, value.clusterDim.x, cuda_launch_attribute, value.dim.x)
FIELD(CUlaunchAttribute, value.clusterDim.y, cuda_launch_attribute, value.dim.y)
FIELD(CUlaunchAttribute, value.clusterDim.z, cuda_launch_attribute, value.dim.z)

_Static_assert(sizeof(CUDA_KERNEL_NODE_PARAMS) ==
                   sizeof(struct cuda_kernel_node),
               "CUDA_KERNEL_NODE_PARAMS");
_Static_assert(sizeof(CUDA_MEMCPY3D) == sizeof(struct cuda_copy_node),
               "CUDA_MEMCPY3D");
_Static_assert(sizeof(CUDA_MEMSET_NODE_PARAMS) == sizeof(struct cuda_fill_node),
               "CUDA_MEMSET_NODE_PARAMS");
FIELD(CUDA_KERNEL_NODE_PARAMS, func, cuda_kernel_node, function)
FIELD(CUDA_KERNEL_NODE_PARAMS, gridDimX, cuda_kernel_node, grid_x)
FIELD(CUDA_KERNEL_NODE_PARAMS, gridDimY, cuda_kernel_node, grid_y)
FIELD(CUDA_KERNEL_NODE_PARAMS, gridDimZ, cuda_kernel_node, grid_z)
FIELD(CUDA_KERNEL_NODE_PARAMS, blockDimX, cuda_kernel_node, block_x)
FIELD(CUDA_KERNEL_NODE_PARAMS, blockDimY, cuda_kernel_node, block_y)
FIELD(CUDA_KERNEL_NODE_PARAMS, blockDimZ, cuda_kernel_node, block_z)
FIELD(CUDA_KERNEL_NODE_PARAMS, sharedMemBytes, cuda_kernel_node, shared)
FIELD(CUDA_KERNEL_NODE_PARAMS, kernelParams, cuda_kernel_node, params)
FIELD(CUDA_KERNEL_NODE_PARAMS, extra, cuda_kernel_node, extra)
FIELD(CUDA_KERNEL_NODE_PARAMS, kern, cuda_kernel_node, kernel)
FIELD(CUDA_KERNEL_NODE_PARAMS, ctx, cuda_kernel_node, context)
FIELD(CUDA_MEMCPY3D, srcXInBytes, cuda_copy_node, from.x)
FIELD(CUDA_MEMCPY3D, srcMemoryType, cuda_copy_node, from.type)
FIELD(CUDA_MEMCPY3D, srcHost, cuda_copy_node, from.host)
FIELD(CUDA_MEMCPY3D, srcDevice, cuda_copy_node, from.device)
FIELD(CUDA_MEMCPY3D, srcHeight, cuda_copy_node, from.height)
FIELD(CUDA_MEMCPY3D, dstXInBytes, cuda_copy_node, to.x)
FIELD(CUDA_MEMCPY3D, dstMemoryType, cuda_copy_node, to.type)
FIELD(CUDA_MEMCPY3D, dstDevice, cuda_copy_node, to.device)
FIELD(CUDA_MEMCPY3D, WidthInBytes, cuda_copy_node, width)
FIELD(CUDA_MEMCPY3D, Height, cuda_copy_node, height)
FIELD(CUDA_MEMCPY3D, Depth, cuda_copy_node, depth)
FIELD(CUDA_MEMSET_NODE_PARAMS, dst, cuda_fill_node, dst)
FIELD(CUDA_MEMSET_NODE_PARAMS, pitch, cuda_fill_node, pitch)
FIELD(CUDA_MEMSET_NODE_PARAMS, value, cuda_fill_node, value)
FIELD(CUDA_MEMSET_NODE_PARAMS, elementSize, cuda_fill_node, size)
FIELD(CUDA_MEMSET_NODE_PARAMS, width, cuda_fill_node, width)
FIELD(CUDA_MEMSET_NODE_PARAMS, height, cuda_fill_node, height)
