/* Compiles only where internal/cuda declares libcuda as CUDA's header, of CUDA 12
 * or newer, does. */
#include <cuda.h>

#include "types.h"

/* Redeclaring a function with another type is an error. */
#define SYMBOL(need, result, name, params) result name params;
#include "symbols.h"

#define SAME(ours, theirs, value) _Static_assert(theirs == value, #theirs);
CUDA_NUMBERS(SAME)

_Static_assert(sizeof(CUresult) == sizeof(cuda_status), "CUresult");
_Static_assert(sizeof(CUlaunchConfig) == sizeof(struct cuda_launch_config), "CUlaunchConfig");
_Static_assert(sizeof(CUlaunchAttribute) == sizeof(struct cuda_launch_attribute), "CUlaunchAttribute");

#define FIELD(theirs, field, ours, our_field)                                         \
  _Static_assert(offsetof(theirs, field) == offsetof(struct ours, our_field) &&       \
                     sizeof(((theirs *)0)->field) == sizeof(((struct ours *)0)->our_field), \
                 #theirs "." #field);
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
FIELD(CUlaunchAttribute, value.clusterSchedulingPolicyPreference, cuda_launch_attribute, value.number)
FIELD(CUlaunchAttribute, value.clusterDim.x, cuda_launch_attribute, value.dim.x)
FIELD(CUlaunchAttribute, value.clusterDim.y, cuda_launch_attribute, value.dim.y)
FIELD(CUlaunchAttribute, value.clusterDim.z, cuda_launch_attribute, value.dim.z)
