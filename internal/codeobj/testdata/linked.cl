// Compiled twice and linked: each object brings a metadata note. Both have the kernels common and chosen; the linker takes
// the first common and, because the first is weak, the second chosen.
kernel void PART(global int *out, int n) { out[0] = n + VALUE; }
__attribute__((weak)) kernel void common(global int *out) { out[0] = VALUE; }
#if VALUE == 1
__attribute__((weak)) kernel void chosen(global int *out) { out[0] = VALUE; }
#else
kernel void chosen(global int *out, int n, int m) { out[0] = n + m + VALUE; }
#endif
