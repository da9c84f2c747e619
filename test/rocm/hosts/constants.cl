// A constant that the host can name and set, as HIP's __constant__, and one that it can't.
__attribute__((visibility(VISIBILITY))) __constant int factors[4] = {1, 2, 3, 4};
__constant int hidden[4] = {10, 20, 30, 40};

__kernel void scale(__global int *p) {
  int i = __builtin_amdgcn_workitem_id_x();
  p[i] = factors[i & 3] + hidden[i & 3];
}
