__constant int weights[4] = {1, 2, 3, 4};

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void saxpy(__global float *y, __global const float *x, float a, int n, __local int *l) {
  int i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  if (i < n) {
    y[i] += a * x[i] * weights[i & 3];
    l[0] = i;
  }
}

__kernel void spilled(__global int *y) {
  volatile int a[32];
  for (int i = 0; i < 32; i++)
    a[i] = y[i];
  y[__builtin_amdgcn_workgroup_id_z()] = a[y[__builtin_amdgcn_workitem_id_y()]];
}

__kernel void sizes(__global int *y, char c) {
  __local int shared[40];
  shared[__builtin_amdgcn_workitem_id_x()] = c;
  y[0] = shared[y[1]] + __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_grid_size_y();
}
