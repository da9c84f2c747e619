; A counter that kernels change, beside constants with and without relocations.
target triple = "amdgcn-amd-amdhsa"
@counter = addrspace(1) global i32 7
@table = addrspace(1) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@callee = addrspace(1) constant ptr @f
define void @f() noinline { ret void }
define amdgpu_kernel void @bump(ptr addrspace(1) %p) {
  %v = load i32, ptr addrspace(1) @counter
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) @counter
  store i32 %w, ptr addrspace(1) %p
  ret void
}
