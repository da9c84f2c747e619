; Constants only: in memory that is writable until it has been relocated.
target triple = "amdgcn-amd-amdhsa"
@callee = hidden addrspace(1) constant ptr @f
@table = hidden addrspace(1) constant [2 x i32] [i32 1, i32 2]
define hidden void @f() noinline { ret void }
define amdgpu_kernel void @use(ptr addrspace(1) %p) {
  %f = load ptr, ptr addrspace(1) @callee
  call void %f()
  %v = load i32, ptr addrspace(1) @table
  store i32 %v, ptr addrspace(1) %p
  ret void
}
