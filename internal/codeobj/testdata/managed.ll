; What HIP's __managed__ int x becomes, and the mark of its translation unit.
target triple = "amdgcn-amd-amdhsa"
@x.managed = addrspace(1) externally_initialized global i32 0
@__hip_cuid_0123 = addrspace(1) global i8 0
define amdgpu_kernel void @k() { ret void }
