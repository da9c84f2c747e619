// Kernels that Python launches by themselves.

__kernel void saxpy(__global float *y, __global const float *x, float k, int n) {
  int i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  if (i < n)
    y[i] += k * x[i];
}

struct pair {
  long first;
  float second;
};

// One argument of each kind.
__kernel void collect(__global double *out, char a, unsigned short b, long c, double d, struct pair p, unsigned char flag) {
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
  out[4] = p.first;
  out[5] = p.second;
  out[6] = flag;
}

// An array of two dimensions as MLIR's kernels take it.
__kernel void fill(__global float *allocated, __global float *aligned, long offset, long rows, long columns, long step, long one) {
  int column = __builtin_amdgcn_workitem_id_x(), row = __builtin_amdgcn_workitem_id_y();
  aligned[offset + row * step + column * one] = 10 * row + column + (allocated == aligned && columns > column && rows > row);
}

// A memref's two addresses, and that of its second row: all of one memory.
__kernel void both(__global int *allocated, __global int *aligned, long offset, long rows, long columns, long step, long one, __global int *second) {
  second[0] = allocated == aligned;
  aligned[step + 1] = second - aligned;
}

__kernel void nothing(void) {}

// Where words lie, in the first of them.
__kernel void place(__global int *words, __global const char *bytes) { words[0] = (long)words & 255; }

// Dynamic workgroup memory: the numbers come back in reverse.
__kernel void reverse(__global int *x, __local int *between) {
  int i = __builtin_amdgcn_workitem_id_x(), n = 64;
  between[i] = x[i];
  __builtin_amdgcn_s_barrier();
  x[i] = between[n - 1 - i];
}
