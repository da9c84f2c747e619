// Prefix sums and reductions.

kernel void inclusive_scan(global const int *in, global int *out) {
  local int s[2][200];
  uint i = get_local_id(0), at = get_global_id(0), now = 0;
  s[0][i] = in[at];
  for (uint d = 1; d < 200; d <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    s[1 - now][i] = i >= d ? s[now][i] + s[now][i - d] : s[now][i];
    now = 1 - now;
  }
  out[at] = s[now][i];
}

kernel void exclusive_scan(global const ulong *in, global ulong *out) {
  local ulong s[256];
  uint i = get_local_id(0);
  s[2 * i] = in[2 * i];
  s[2 * i + 1] = in[2 * i + 1];
  uint step = 1;
  for (uint d = 128; d > 0; d >>= 1, step <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < d)
      s[step * (2 * i + 2) - 1] += s[step * (2 * i + 1) - 1];
  }
  if (i == 0)
    s[255] = 0;
  for (uint d = 1; d < 256; d <<= 1) {
    step >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < d) {
      uint a = step * (2 * i + 1) - 1, b = step * (2 * i + 2) - 1;
      ulong t = s[a];
      s[a] = s[b];
      s[b] += t;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[2 * i] = s[2 * i];
  out[2 * i + 1] = s[2 * i + 1];
}

// Two kernels: sums of the groups, then the sums of these, added to all elements.
kernel void group_sums(global const uint *in, global uint *sums) {
  local uint s[64];
  uint i = get_local_id(0);
  s[i] = in[get_global_id(0)];
  for (uint d = 32; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < d)
      s[i] += s[i + d];
  }
  if (i == 0)
    sums[get_group_id(0)] = s[0];
}

kernel void add_group_sums(global const uint *in, global const uint *sums, global uint *out) {
  uint i = get_global_id(0), g = get_group_id(0), sum = 0;
  for (uint k = 0; k < g; k++)
    sum += sums[k];
  for (uint k = g * 64; k <= i; k++)
    sum += in[k];
  out[i] = sum;
}

// Where a flag is set a new segment begins.
kernel void segmented_scan(global const int *in, global const uchar *flag, global int *out) {
  local int s[128];
  local uchar f[128];
  uint i = get_local_id(0);
  s[i] = in[i];
  f[i] = flag[i];
  for (uint d = 1; d < 128; d <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = s[i];
    uchar g = f[i];
    if (i >= d && !g) {
      x += s[i - d];
      g |= f[i - d];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    s[i] = x;
    f[i] = g;
  }
  out[i] = s[i];
}

// The largest number and its first index.
kernel void arg_max(global const float *in, global uint *out, uint n) {
  local float best[64];
  local uint at[64];
  uint i = get_local_id(0);
  float b = -INFINITY;
  uint w = 0;
  for (uint k = i; k < n; k += 64)
    if (in[k] > b) {
      b = in[k];
      w = k;
    }
  best[i] = b;
  at[i] = w;
  for (uint d = 32; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < d && (best[i + d] > best[i] || (best[i + d] == best[i] && at[i + d] < at[i]))) {
      best[i] = best[i + d];
      at[i] = at[i + d];
    }
  }
  if (i == 0)
    *out = at[0];
}

// Keeps the positive numbers, in order.
kernel void compact(global const int *in, global int *out, global uint *count) {
  local uint s[256];
  uint i = get_local_id(0);
  int x = in[i];
  s[i] = x > 0;
  for (uint d = 1; d < 256; d <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint add = i >= d ? s[i - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[i] += add;
  }
  if (x > 0)
    out[s[i] - 1] = x;
  if (i == 255)
    *count = s[i];
}
