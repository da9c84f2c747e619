; A constructor, which loading the module runs.
target triple = "amdgcn-amd-amdhsa"
@llvm.global_ctors = appending addrspace(1) global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @ctor, ptr null }]
@sink = addrspace(3) global i32 poison
define internal void @ctor() { store volatile i32 1, ptr addrspace(3) @sink ret void }
define amdgpu_kernel void @k() { ret void }
