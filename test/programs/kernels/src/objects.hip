// C++ in kernels: templates, classes, functions that are called through pointers.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned long ulong;

static __device__ uint item() { return __builtin_amdgcn_workitem_id_x(); }
static __device__ uint index() { return __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + item(); }
static __device__ void meet() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

__device__ __noinline__ uint twice(uint x) { return 2 * x; }
__device__ __noinline__ uint squared(uint x) { return x * x; }
__device__ __noinline__ uint plus_one(uint x) { return x + 1; }
__device__ uint (*const operations[3])(uint) = {twice, squared, plus_one};

// Lanes call different functions.
extern "C" __global__ void function_pointers(const uint *in, uint *out) {
  uint x = in[index()];
  for (uint k = 0; k < 4; k++)
    x = operations[(x + k) % 3](x);
  out[index()] = x;
}

extern "C" __device__ void __cxa_pure_virtual() { __builtin_trap(); }

struct shape {
  float a;
  __device__ shape(float a) : a(a) {}
  __device__ virtual float area() const = 0;
  __device__ virtual float around() const { return 0; }
};
struct square : shape {
  using shape::shape;
  __device__ float area() const override { return a * a; }
  __device__ float around() const override { return 4 * a; }
};
struct triangle : shape {
  float h;
  __device__ triangle(float a, float h) : shape(a), h(h) {}
  __device__ float area() const override { return a * h / 2; }
};

__device__ __noinline__ float measure(const shape *s) { return s->area() + s->around(); }

extern "C" __global__ void virtual_functions(const float *in, float *out) {
  uint i = index();
  square s(in[i]);
  triangle t(in[i], 3);
  out[i] = i & 1 ? measure(&s) : measure(&t);
}

template <typename T, uint N> struct buffer {
  T v[N];
  __device__ T &operator[](uint i) { return v[i % N]; }
  template <typename F> __device__ T fold(T start, F f) const {
    for (T x : v)
      start = f(start, x);
    return start;
  }
};

// Workgroup memory in a template, operations as lambdas.
extern "C" __global__ void templates(const int *in, int *out) {
  __shared__ buffer<int, 64> b;
  b[item()] = in[index()];
  meet();
  int sum = b.fold(0, [](int a, int x) { return a + x; });
  int top = b.fold(in[0], [=](int a, int x) { return x % 100 > a % 100 ? x : a; });
  out[index()] = sum ^ top * (int)item();
}

struct big {
  uint w[40];
};

// Large results are returned in memory.
__device__ __noinline__ big mixed(big a, uint by) {
  big r;
  for (int i = 0; i < 40; i++)
    r.w[i] = a.w[(i * by) % 40] + i;
  return r;
}

extern "C" __global__ void large_values(big in, uint *out) {
  big r = mixed(mixed(in, index() | 1), 3);
  uint h = 0;
  for (uint w : r.w)
    h = h * 17 + w;
  out[index()] = h;
}

typedef unsigned __int128 u128;

// Numbers of 128 bits.
extern "C" __global__ void wide_numbers(const ulong *a, const ulong *b, ulong *out) {
  uint i = index();
  u128 x = (u128)a[i] << 64 | b[i], y = (u128)b[i] * a[i] + x, z = y >> (a[i] & 127) ^ x << 5;
  out[4 * i] = (ulong)y;
  out[4 * i + 1] = (ulong)(y >> 64);
  out[4 * i + 2] = (ulong)z;
  out[4 * i + 3] = (ulong)(z >> 64) - (x < y);
}

// A queens' board per work-item; the first two rows are its own.
extern "C" __global__ void queens(uint *out) {
  uint i = index(), n = 7, found = 0;
  uchar col[8];
  int row = 2;
  col[0] = i % n;
  col[1] = i / n % n;
  auto fits = [&](int r) {
    for (int k = 0; k < r; k++)
      if (col[k] == col[r] || col[k] - col[r] == r - k || col[r] - col[k] == r - k)
        return false;
    return true;
  };
  if (!fits(1)) {
    out[i] = 0;
    return;
  }
  col[2] = 0xff;
  while (row >= 2) {
    if (++col[row] == n) {
      row--;
      continue;
    }
    if (!fits(row))
      continue;
    if (row == (int)n - 1)
      found++;
    else
      col[++row] = 0xff;
  }
  out[i] = found;
}

__constant__ float weights[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
__device__ int calls;

extern "C" __global__ void blur(const uchar *in, uchar *out, int w, int h) {
  int x = index() % w, y = index() / w;
  float sum = 0;
  for (int k = 0; k < 9; k++) {
    int sx = x + k % 3 - 1, sy = y + k / 3 - 1;
    sx = sx < 0 ? 0 : sx >= w ? w - 1 : sx;
    sy = sy < 0 ? 0 : sy >= h ? h - 1 : sy;
    sum += weights[k] * in[sy * w + sx];
  }
  out[y * w + x] = (uchar)(sum / 16);
  if (item() == 0)
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
}

extern "C" __global__ void how_many(int *out) { *out = calls; }

// Atomics of floats and doubles, and of bytes inside words.
extern "C" __global__ void odd_atomics(float *f, double *d, uchar *b) {
  __atomic_fetch_add(f, 0.5f, __ATOMIC_RELAXED);
  __atomic_fetch_add(d, 0.25, __ATOMIC_RELAXED);
  __atomic_fetch_xor(b + (index() & 3), (uchar)index(), __ATOMIC_RELAXED);
  __atomic_fetch_add((unsigned short *)(b + 4) + (index() & 1), (unsigned short)index(), __ATOMIC_RELAXED);
}
