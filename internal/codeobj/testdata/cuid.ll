; A HIP translation unit without variables of its own.
target triple = "amdgcn-amd-amdhsa"
@__hip_cuid_0123 = addrspace(1) global i8 0
define amdgpu_kernel void @k() { ret void }
