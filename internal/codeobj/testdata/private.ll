; A counter without a symbol.
target triple = "amdgcn-amd-amdhsa"
@counter = private addrspace(1) global i32 7
define amdgpu_kernel void @bump() {
  %v = load volatile i32, ptr addrspace(1) @counter
  store volatile i32 %v, ptr addrspace(1) @counter
  ret void
}
