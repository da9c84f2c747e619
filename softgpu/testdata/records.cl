// OpenCL's printf, which leaves records in a buffer. The compiler calls this
// function for the room, which ROCm's library for OpenCL has.
global char *__printf_alloc(uint bytes) {
  global uint *b = (global uint *)((constant ulong *)__builtin_amdgcn_implicitarg_ptr())[9];
  uint at = __opencl_atomic_load((volatile global atomic_uint *)b, memory_order_relaxed, memory_scope_device);
  for (;;) {
    if (at + 8 + bytes > b[1]) return 0;
    if (__opencl_atomic_compare_exchange_strong((volatile global atomic_uint *)b, &at, at + bytes, memory_order_relaxed,
                                                memory_order_relaxed, memory_scope_device))
      break;
  }
  return (global char *)b + 8 + at;
}

// LLVM stores constant strings without the zero but counts it, so that what follows
// one of four, eight, ... letters is misplaced: here as on GPUs.
kernel void prints(int n) {
  int i = __builtin_amdgcn_workitem_id_x();
  printf("item %d of %u: %s %v4f %5.2f %c %lx %v2hhd 100%%\n", i, n, "a text", (float4)(1, 2, 3, 4), 3.0f, 'x', (ulong)n << 40, (char2)(-1, 2));
  if (n > 3) printf("no arguments: at all\n");
}

kernel void overruns(int n) { for (int i = 0; i < 1 << 16; i++) printf("line %d of a buffer that is full at last: %d %d %d\n", i, n, n, n); }

kernel void damages(int n) {
  printf("one %d\n", n);
  global uint *b = (global uint *)((constant ulong *)__builtin_amdgcn_implicitarg_ptr())[9];
  b[2] = 99;
}
