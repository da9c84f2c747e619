; A kernel whose first four arguments are in scalar registers when it starts.
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) inreg %p, i32 inreg %a, i64 inreg %b, i32 inreg %c, i32 %d) {
 store i32 %a, ptr addrspace(1) %p
 %q = getelementptr i64, ptr addrspace(1) %p, i32 1
 store i64 %b, ptr addrspace(1) %q
 %r = getelementptr float, ptr addrspace(1) %p, i32 4
 store i32 %c, ptr addrspace(1) %r
 %s = getelementptr i32, ptr addrspace(1) %p, i32 5
 store i32 %d, ptr addrspace(1) %s
 ret void
}
