// Sorting, within a workgroup and within a work-item.

kernel void bitonic_sort(global uint *data, local uint *s) {
  uint i = get_local_id(0), n = get_local_size(0), base = get_group_id(0) * n;
  s[i] = data[base + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 2; k <= n; k <<= 1)
    for (uint j = k >> 1; j > 0; j >>= 1) {
      uint other = i ^ j;
      if (other > i) {
        uint a = s[i], b = s[other];
        if ((a > b) == ((i & k) == 0)) {
          s[i] = b;
          s[other] = a;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  data[base + i] = s[i];
}

kernel void odd_even_sort(global float *data) {
  local float s[128];
  uint i = get_local_id(0);
  s[i] = data[get_global_id(0)];
  for (uint round = 0; round < 128; round++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint a = 2 * i + (round & 1);
    if (a + 1 < 128) {
      float x = s[a], y = s[a + 1];
      s[a] = fmin(x, y);
      s[a + 1] = fmax(x, y);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = s[i];
}

// Each work-item sorts 24 numbers in its own memory.
kernel void insertion_sort(global const int *in, global int *out) {
  int a[24];
  uint at = get_global_id(0) * 24;
  for (int i = 0; i < 24; i++) {
    int x = in[at + i], j = i;
    while (j > 0 && a[j - 1] > x) {
      a[j] = a[j - 1];
      j--;
    }
    a[j] = x;
  }
  for (int i = 0; i < 24; i++)
    out[at + i] = a[i];
}

// A radix sort of 256 words, four bits at a time.
kernel void radix_sort(global uint *data) {
  local uint s[256], count[16], start[16], rank[256];
  uint i = get_local_id(0);
  s[i] = data[i];
  for (uint shift = 0; shift < 32; shift += 4) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint x = s[i], digit = x >> shift & 15;
    if (i < 16)
      count[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&count[digit]);
    uint before = 0;
    for (uint j = 0; j < i; j++)
      before += (s[j] >> shift & 15) == digit;
    rank[i] = before;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0)
      for (uint d = 0, sum = 0; d < 16; d++) {
        start[d] = sum;
        sum += count[d];
      }
    barrier(CLK_LOCAL_MEM_FENCE);
    s[start[digit] + rank[i]] = x;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[i] = s[i];
}

// Keys and their values, by counting the keys that come before.
kernel void rank_sort(global const short *keys, global const uchar *values, global short *out_keys, global uchar *out_values, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  short key = keys[i];
  uint rank = 0;
  for (uint j = 0; j < n; j++)
    rank += keys[j] < key || (keys[j] == key && j < i);
  out_keys[rank] = key;
  out_values[rank] = values[i];
}
