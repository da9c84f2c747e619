// Compiled twice and linked: each object brings a metadata note. Both have the kernel common.
kernel void PART(global int *out, int n) { out[0] = n + VALUE; }
__attribute__((weak)) kernel void common(global int *out) { out[0] = VALUE; }
