; Constants in .rodata: the host can name the protected one, as HIP's __constant__, and set it.
target triple = "amdgcn-amd-amdhsa"
@private_constant = private addrspace(4) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@internal_constant = internal addrspace(4) constant [4 x i32] [i32 2, i32 3, i32 4, i32 5]
@hidden_constant = hidden addrspace(4) constant [4 x i32] [i32 3, i32 4, i32 5, i32 6]
@protected_constant = protected addrspace(4) externally_initialized constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
define amdgpu_kernel void @sum(ptr addrspace(1) %p, i32 %i) {
  %a = getelementptr i32, ptr addrspace(4) @private_constant, i32 %i
  %b = getelementptr i32, ptr addrspace(4) @internal_constant, i32 %i
  %c = getelementptr i32, ptr addrspace(4) @hidden_constant, i32 %i
  %d = getelementptr i32, ptr addrspace(4) @protected_constant, i32 %i
  %va = load i32, ptr addrspace(4) %a
  %vb = load i32, ptr addrspace(4) %b
  %vc = load i32, ptr addrspace(4) %c
  %vd = load i32, ptr addrspace(4) %d
  %s1 = add i32 %va, %vb
  %s2 = add i32 %s1, %vc
  %s3 = add i32 %s2, %vd
  store i32 %s3, ptr addrspace(1) %p
  ret void
}
