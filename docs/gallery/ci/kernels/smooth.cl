// Each element becomes the mean of itself and its neighbours; at the ends there is one neighbour.
// One workgroup of 256 work-items for each 256 elements, and workgroup memory for 258.
__kernel void smooth(__global float *out, __global const float *in, int n, __local float *tile) {
  int local_id = __builtin_amdgcn_workitem_id_x();
  int i = __builtin_amdgcn_workgroup_id_x() * 256 + local_id;
  tile[local_id + 1] = i < n ? in[i] : 0;
  if (local_id == 0)
    tile[0] = i > 0 ? in[i - 1] : 0;
  if (local_id == 255)
    tile[257] = i + 1 < n ? in[i + 1] : 0;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  if (i < n)
    out[i] = (tile[local_id] + tile[local_id + 1] + tile[local_id + 2]) / (3 - (i == 0) - (i == n - 1));
}
