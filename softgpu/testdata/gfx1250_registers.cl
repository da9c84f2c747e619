// Kernels that need more than 256 vector registers.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef unsigned int uint;

#define LANE __builtin_amdgcn_workitem_id_x()
#define ALL(N) _Pragma("clang loop unroll(full)") for (int i = 0; i < N; i++)
#define LARGE __attribute__((amdgpu_flat_work_group_size(32, 32), amdgpu_waves_per_eu(1, 1)))

// Each lane mixes 600 words, n times, some of them by way of LDS.
LARGE kernel void mix(global uint *p, global uint *q, int n) {
  local uint swapped[4][32];
  uint a[600], l = LANE;
  ALL(600) a[i] = p[l * 600 + i];
  for (int k = 0; k < n; k++) {
    ALL(600) a[i] = (a[(i + 7) % 600] ^ a[i]) + a[(i * 3 + 1) % 600];
    ALL(4) swapped[i][l] = a[i * 150];
    __builtin_amdgcn_s_barrier();
    ALL(4) a[i * 150 + 1] ^= swapped[3 - i][31 - l];
    __builtin_amdgcn_s_barrier();
    if (a[599] & 1) { ALL(300) a[i] = a[i] > a[i + 300] ? a[i] - 1 : a[i + 300]; }
  }
  ALL(600) q[l * 600 + i] = a[i];
}

// Singles and doubles, with fused sums, comparisons and conversions.
LARGE kernel void floats(global float *p, global double *q, int n) {
  float a[300];
  double b[150];
  uint l = LANE;
  ALL(300) a[i] = p[l * 300 + i];
  ALL(150) b[i] = a[i] + 0.5;
  for (int k = 0; k < n; k++) {
    ALL(300) a[i] = __builtin_fmaf(a[(i + 7) % 300], 0.5f, a[i]);
    ALL(150) b[i] = __builtin_fma(b[(i + 11) % 150], 0.25, b[i] < 0 ? b[i] : (double)a[i]);
  }
  ALL(150) q[l * 450 + i] = b[i];
  ALL(300) q[l * 450 + 150 + i] = a[i];
}
