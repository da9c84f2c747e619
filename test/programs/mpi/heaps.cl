// Kernels that reach the heaps of all ranks. bases are where those are, at is an offset in each.

#ifdef __NVPTX__
static int work_item(void) { return __nvvm_read_ptx_sreg_tid_x(); }
#else
static int work_item(void) { return __builtin_amdgcn_workitem_id_x(); }
#endif

static __global int *in_heap(__global const ulong *bases, int rank, ulong at) { return (__global int *)(bases[rank] + at); }

// Writes 64 words of the rank's into each heap.
__kernel void put(__global const ulong *bases, ulong at, int rank, int ranks) {
  int lane = work_item();
  for (int r = 0; r < ranks; r++)
    in_heap(bases, r, at)[64 * rank + lane] = 1000 * rank + lane;
}

// Adds up what each rank has put into its own heap.
__kernel void get(__global const ulong *bases, ulong at, int ranks, __global int *sums) {
  int lane = work_item(), sum = 0;
  for (int r = 0; r < ranks; r++)
    sum += in_heap(bases, r, at)[64 * r + lane];
  sums[lane] = sum;
}

static void add(__global int *word, int n) {
#ifdef __NVPTX__ // LLVM makes this atomic within a GPU, and relaxed
  int before;
  __asm__ volatile("atom.acq_rel.sys.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(word), "r"(n) : "memory");
#else
  __opencl_atomic_fetch_add((__global atomic_int *)word, n, __ATOMIC_ACQ_REL, __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES);
#endif
}

static int load(__global int *word) { return __opencl_atomic_load((__global atomic_int *)word, __ATOMIC_ACQUIRE, __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES); }

// Each work-item adds to one word in the heap of rank 0.
__kernel void reduce(__global const ulong *bases, ulong at, int n) { add(in_heap(bases, 0, at), n); }

// The kernels of all ranks meet, round after round. In each a rank says which round it is in, and looks at
// what the others say after all have said it; at + 4 counts what is not as it must be.
__kernel void meet(__global const ulong *bases, ulong at, ulong said, int rank, int ranks, int rounds) {
  __global int *counter = in_heap(bases, 0, at);
  for (int round = 1; round <= rounds; round++) {
    in_heap(bases, rank, said)[0] = round;
    add(counter, 1);
    while (load(counter) < (2 * round - 1) * ranks)
      ;
    for (int r = 0; r < ranks; r++)
      if (load(in_heap(bases, r, said)) != round)
        add(in_heap(bases, rank, at) + 1, 1);
    add(counter, 1);
    while (load(counter) < 2 * round * ranks)
      ;
  }
}
