; nvptx64: constants and a variable that kernels change.
target triple = "nvptx64-nvidia-cuda"
@counter = addrspace(1) global [4 x i32] zeroinitializer
@table = addrspace(4) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
define ptx_kernel void @bump(ptr addrspace(1) %p) {
  %t = load i32, ptr addrspace(4) @table
  %v = load i32, ptr addrspace(1) @counter
  %w = add i32 %v, %t
  store i32 %w, ptr addrspace(1) @counter
  store i32 %w, ptr addrspace(1) %p
  ret void
}
