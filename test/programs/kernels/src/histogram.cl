// Counting.

kernel void histogram(global const uchar *in, global uint *bins, uint n) {
  local uint s[256];
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
    s[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&s[in[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
    atomic_add(&bins[i], s[i]);
}

// Four bytes of a word counted at once, bins of 16 bits in halves of words.
kernel void packed_histogram(global const uchar4 *in, global ushort *bins) {
  local uint s[32];
  uint i = get_local_id(0);
  if (i < 32)
    s[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uchar4 x = in[get_global_id(0)] >> (uchar4)2;
  atomic_add(&s[x.x >> 1], 1u << 16 * (x.x & 1));
  atomic_add(&s[x.y >> 1], 1u << 16 * (x.y & 1));
  atomic_add(&s[x.z >> 1], 1u << 16 * (x.z & 1));
  atomic_add(&s[x.w >> 1], 1u << 16 * (x.w & 1));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 64)
    bins[get_group_id(0) * 64 + i] = s[i >> 1] >> 16 * (i & 1);
}
