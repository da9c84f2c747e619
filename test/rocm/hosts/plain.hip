// Plain HIP, as AMD's compiler takes it: the argument says what. Each part prints "ok".
#include <hip/hip_runtime.h>

#include <hip/hip_cooperative_groups.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    hipError_t error_ = (call);                                                \
    if (error_ != hipSuccess) {                                                \
      printf("%s: %s\n", #call, hipGetErrorName(error_));                      \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("line %d: not %s\n", __LINE__, #condition);                       \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

template <class T> static T *on_device(const std::vector<T> &v) {
  T *p;
  CHECK(hipMalloc((void **)&p, v.size() * sizeof(T)));
  CHECK(hipMemcpy(p, v.data(), v.size() * sizeof(T), hipMemcpyHostToDevice));
  return p;
}

template <class T> static std::vector<T> from_device(const T *p, size_t n) {
  std::vector<T> v(n);
  CHECK(hipMemcpy(v.data(), p, n * sizeof(T), hipMemcpyDeviceToHost));
  return v;
}

// Sums through workgroup memory, then within a wave, then with an atomic.
__global__ void sum(const int *in, int n, int *out) {
  __shared__ int words[256];
  int x = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    x += in[i];
  words[threadIdx.x] = x;
  __syncthreads();
  for (int half = blockDim.x / 2; half >= warpSize; half /= 2) {
    if (threadIdx.x < half)
      words[threadIdx.x] += words[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x < warpSize) {
    x = words[threadIdx.x];
    for (int lane = warpSize / 2; lane > 0; lane /= 2)
      x += __shfl_down(x, lane);
    if (threadIdx.x == 0)
      atomicAdd(out, x);
  }
}

static void reduction() {
  const int n = 100003;
  std::vector<int> in(n);
  int want = 0;
  for (int i = 0; i < n; i++)
    want += in[i] = i % 1000 - 300;
  int *words = on_device(in), *out = on_device(std::vector<int>{0});
  sum<<<20, 256>>>(words, n, out);
  CHECK(hipGetLastError());
  EXPECT(from_device(out, 1)[0] == want);
}

// A product in tiles of workgroup memory.
__global__ void product(const float *a, const float *b, float *c, int n) {
  const int side = 16;
  __shared__ float x[side][side], y[side][side];
  int row = blockIdx.y * side + threadIdx.y,
      column = blockIdx.x * side + threadIdx.x;
  float t = 0;
  for (int k = 0; k < n; k += side) {
    x[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    y[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < side; i++)
      t += x[threadIdx.y][i] * y[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = t;
}

static void matmul() {
  const int n = 64;
  std::vector<float> a(n * n), b(n * n);
  for (int i = 0; i < n * n; i++) {
    a[i] = (float)(i % 7);
    b[i] = (float)(i % 5 - 2);
  }
  float *x = on_device(a), *y = on_device(b), *z = on_device(a);
  product<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(x, y, z, n);
  std::vector<float> c = from_device(z, n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float t = 0;
      for (int k = 0; k < n; k++)
        t += a[i * n + k] * b[k * n + j];
      EXPECT(c[i * n + j] == t);
    }
}

__global__ void scale(int *p, int by) {
  p[blockIdx.x * blockDim.x + threadIdx.x] *= by;
}

static void streams() {
  int *p = on_device(std::vector<int>(256, 1));
  hipStream_t s, t;
  hipEvent_t e, end;
  CHECK(hipStreamCreate(&s));
  CHECK(hipStreamCreate(&t));
  CHECK(hipEventCreate(&e));
  CHECK(hipEventCreate(&end));
  CHECK(hipEventRecord(e, s));
  scale<<<4, 64, 0, s>>>(p, 3);
  CHECK(hipEventRecord(end, s));
  CHECK(hipStreamWaitEvent(t, end, 0));
  scale<<<4, 64, 0, t>>>(p, 5);
  CHECK(hipStreamSynchronize(t));
  float ms;
  CHECK(hipEventElapsedTime(&ms, e, end));
  EXPECT(ms > 0);
  EXPECT(from_device(p, 256)[255] == 15);
}

static void capture() {
  int *p = on_device(std::vector<int>(256, 1));
  hipStream_t s;
  hipGraph_t graph;
  hipGraphExec_t exec;
  CHECK(hipStreamCreate(&s));
  CHECK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  scale<<<4, 64, 0, s>>>(p, 2);
  scale<<<4, 64, 0, s>>>(p, 3);
  CHECK(hipStreamEndCapture(s, &graph));
  CHECK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
  EXPECT(from_device(p, 256)[7] == 1);
  for (int i = 0; i < 3; i++)
    CHECK(hipGraphLaunch(exec, s));
  CHECK(hipStreamSynchronize(s));
  EXPECT(from_device(p, 256)[7] == 216);
}

static void managed() {
  int *p;
  CHECK(hipMallocManaged((void **)&p, 256 * sizeof *p));
  for (int i = 0; i < 256; i++)
    p[i] = i;
  scale<<<4, 64>>>(p, 2);
  CHECK(hipDeviceSynchronize());
  EXPECT(p[255] == 510);
}

__global__ void hello(int x) {
  if (threadIdx.x == 3)
    printf("item %d of block %d says %d and %s\n", (int)threadIdx.x,
           (int)blockIdx.x, x, "text");
}

static void print() {
  hello<<<1, 64>>>(42);
  CHECK(hipDeviceSynchronize());
}

__global__ void refuses(int x) { assert(x == 1 && "one is asked for"); }

static void asserts() {
  refuses<<<1, 64>>>(2);
  printf("went on: %s\n", hipGetErrorName(hipDeviceSynchronize()));
}

static void peers() {
  int *p[2];
  for (int i = 0; i < 2; i++) {
    CHECK(hipSetDevice(i));
    p[i] = on_device(std::vector<int>(64, 1));
    scale<<<1, 64>>>(p[i], 2 + i);
    CHECK(hipDeviceSynchronize());
  }
  CHECK(hipMemcpyPeer(p[1], 1, p[0], 0, 64 * sizeof(int)));
  EXPECT(from_device(p[1], 64)[63] == 2);
}

// Each turn a workgroup adds what its neighbour on either side had in the turn before: no
// workgroup may be a turn ahead of another.
__global__ void diffuse(unsigned *a, unsigned *b, int turns) {
  auto grid = cooperative_groups::this_grid();
  unsigned n = gridDim.x, me = blockIdx.x;
  for (int t = 0; t < turns; t++) {
    if (threadIdx.x == 0)
      b[me] = a[me] + a[(me + 1) % n] * 3 + a[(me + n - 1) % n] * 5;
    grid.sync();
    unsigned *swap = a;
    a = b;
    b = swap;
  }
}

// As many workgroups as the device says that it can hold, and as few as two.
static void cooperative() {
  const int items = 128, turns = 5;
  int units, each, able;
  CHECK(hipDeviceGetAttribute(&able, hipDeviceAttributeCooperativeLaunch, 0));
  CHECK(
      hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, 0));
  CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&each, diffuse, items, 0));
  EXPECT(able && units * each > 2 * each);
  for (unsigned n : {2, each + 1, units * each}) {
    std::vector<unsigned> a(n), b(n);
    for (unsigned i = 0; i < n; i++)
      a[i] = i * i + 1;
    unsigned *p = on_device(a), *q = on_device(b);
    int t = turns;
    void *arguments[] = {&p, &q, &t};
    CHECK(
        hipLaunchCooperativeKernel((void *)diffuse, n, items, arguments, 0, 0));
    CHECK(hipDeviceSynchronize());
    for (int i = 0; i < turns; i++, a.swap(b))
      for (unsigned m = 0; m < n; m++)
        b[m] = a[m] + a[(m + 1) % n] * 3 + a[(m + n - 1) % n] * 5;
    EXPECT(from_device(turns % 2 ? q : p, n) == a);
    CHECK(hipFree(p));
    CHECK(hipFree(q));
  }
}

int main(int, char **argv) {
  static const struct {
    const char *name;
    void (*run)();
  } parts[] = {{"reduction", reduction}, {"matmul", matmul},
               {"streams", streams},     {"cooperative", cooperative},
               {"capture", capture},     {"managed", managed},
               {"printf", print},        {"assert", asserts},
               {"peers", peers}};
  for (auto &part : parts)
    if (!strcmp(argv[1], part.name)) {
      part.run();
      puts("ok");
      return 0;
    }
  return 2;
}
