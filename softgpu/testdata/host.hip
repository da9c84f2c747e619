// Kernels that call the host, through ROCm's device libraries.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

typedef unsigned long ulong;

extern "C" __device__ int printf(const char *, ...);
extern "C" __device__ ulong __ockl_fprintf_stderr_begin(void);
extern "C" __device__ ulong __ockl_fprintf_append_args(ulong, unsigned, ulong, ulong, ulong, ulong, ulong, ulong, ulong, unsigned);
extern "C" __device__ ulong __ockl_fprintf_append_string_n(ulong, const char *, ulong, unsigned);
extern "C" __device__ void *__ockl_dm_alloc(ulong);
extern "C" __device__ void __ockl_dm_dealloc(void *);

static __device__ ulong length(const char *s) {
  ulong n = 1;
  for (; *s; s++) n++;
  return n;
}

// What the headers of HIP make of a failed assertion.
static __device__ __attribute__((noinline)) void failed(const char *what, const char *file, unsigned line, const char *function) {
  const char *format = "%s:%u: %s: Device-side assertion `%s' failed.\n";
  ulong m = __ockl_fprintf_stderr_begin();
  m = __ockl_fprintf_append_string_n(m, format, length(format), 0);
  m = __ockl_fprintf_append_string_n(m, file, length(file), 0);
  m = __ockl_fprintf_append_args(m, 1, line, 0, 0, 0, 0, 0, 0, 0);
  m = __ockl_fprintf_append_string_n(m, function, length(function), 0);
  __ockl_fprintf_append_string_n(m, what, length(what), 1);
  __builtin_trap();
}
#define assert(x) ((x) ? (void)0 : failed(#x, "host.hip", __LINE__, __func__))

static __device__ unsigned item(void) { return __builtin_amdgcn_workitem_id_x(); }
static __device__ unsigned group(void) { return __builtin_amdgcn_workgroup_id_x(); }

extern "C" __global__ void each(int n) { printf("item %u of group %u: %d\n", item(), group(), n); }

extern "C" __global__ void divergent(int n) {
  if (item() % 3 == 0)
    printf("third %u\n", item());
  else if (item() % 3 == 1)
    for (unsigned i = 0; i < item() % 4; i++) printf("loop %u.%u\n", item(), i);
  printf("all %u %s\n", item(), item() & 1 ? "odd" : "even");
}

extern "C" __global__ void result(int *out, int n) { out[item()] = printf("%*d|\n", (int)item() % 8, n); }

extern "C" __global__ void shared_text(const char *text) { printf("<%s>\n", text); }

extern "C" __global__ void kinds(double d, long l) {
  printf("%d %ld %lld %hhd %c %g %.3f %e %a %x %#lx %p %5s|%-5s|%%|%.2s\n", -1, l, l, 300, 'x', d, d, d, d, 255, l, (void *)l, "ab", "cd", "efgh");
}

extern "C" __global__ void asserts(const int *values, int bound) {
  assert(values[item() + 64 * group()] < bound);
}

extern "C" __global__ void silent(int *out) { out[item()] = item(); }

// Each work-item takes blocks of many sizes, fills them, checks and frees them.
extern "C" __global__ void allocates(int *wrong, int rounds) {
  unsigned id = item() + 64 * group();
  int bad = 0;
  for (int r = 0; r < rounds; r++) {
    ulong words = 1 + (id * 7 + r * 13) % 1500;
    unsigned *p = (unsigned *)__ockl_dm_alloc(4 * words);
    if (!p) { bad += 1000; continue; }
    for (ulong i = 0; i < words; i++) p[i] = id * 65536 + i;
    for (ulong i = 0; i < words; i++) bad += p[i] != id * 65536 + i;
    __ockl_dm_dealloc(p);
  }
  wrong[id] = bad;
}

// One kernel leaves a block that another one reads.
extern "C" __global__ void leave(unsigned **where) {
  unsigned *p = (unsigned *)__ockl_dm_alloc(16);
  p[0] = 42 + item();
  where[item()] = p;
}
extern "C" __global__ void collect(unsigned **where, int *out) {
  out[item()] = where[item()][0];
  __ockl_dm_dealloc(where[item()]);
}

extern "C" __global__ void frees(void *p) { if (item() == 0) __ockl_dm_dealloc(p); }

extern "C" __global__ void prints_for_ever() { for (;;) printf("again\n"); }
