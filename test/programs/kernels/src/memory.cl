// OpenCL C 2.0
// Memory of all kinds.

kernel void private_arrays(global const uchar *in, global uint *out) {
  uchar a[64];
  uint i = get_global_id(0);
  for (uint k = 0; k < 64; k++)
    a[k] = k;
  for (uint k = 0; k < 64; k++) {
    uint j = in[(i + k) & 255] & 63;
    uchar t = a[k];
    a[k] = a[j];
    a[j] = t;
  }
  uint h = 0;
  for (uint k = 0; k < 64; k++)
    h = h * 33 + a[k];
  out[i] = h;
}

kernel void sub_words(global const char *a, global const ushort *b, global short *c, global uchar *d) {
  uint i = get_global_id(0);
  c[i] = a[i] * (short)b[i];
  d[i] = (a[i] & 0xf) << 4 | b[i] >> 12;
}

kernel void unaligned(global const uchar *in, global ulong *out) {
  uint i = get_global_id(0);
  typedef struct __attribute__((packed)) { ulong v; } u8;
  typedef struct __attribute__((packed)) { uint v; } u4;
  out[2 * i] = ((global const u8 *)(in + 3 * i + 1))->v;
  out[2 * i + 1] = ((global const u4 *)(in + 5 * i + 3))->v;
}

// A pointer that may point to three kinds of memory.
static uint look(const uint *p, uint n) __attribute__((noinline));
static uint look(const uint *p, uint n) {
  uint r = 0;
  for (uint i = 0; i < n; i++)
    r = r * 7 + p[i];
  return r;
}

kernel void generic_pointers(global uint *in, global uint *out) {
  local uint l[8];
  uint mine[8], i = get_local_id(0);
  if (i < 8)
    l[i] = 100 + i;
  for (uint k = 0; k < 8; k++)
    mine[k] = i * k;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint *p = i % 3 == 0 ? (const uint *)in : i % 3 == 1 ? (const uint *)l : (const uint *)mine;
  out[i] = look(p, 8);
}

constant short table[3][5] = {{1, -2, 3, -4, 5}, {10, 20, 30, 40, 50}, {-7, -70, -700, -7000, 7}};
constant char text[] = "the quick brown fox jumps over the lazy dog";

kernel void constant_tables(global const uint *in, global int *out) {
  uint i = get_global_id(0), x = in[i];
  out[i] = table[x % 3][x / 3 % 5] * 256 + text[x % (sizeof(text) - 1)];
}

global uint counter = 5;
global uint remembered[4] = {1, 2, 3, 4};

// Variables of the program keep their values from launch to launch.
kernel void program_variables(global uint *out) {
  uint i = get_global_id(0);
  if (i == 0)
    out[4] = counter++;
  if (i < 4) {
    out[i] = remembered[i];
    remembered[i] *= 3;
  }
}

kernel void dynamic_local(local float *a, local uchar *b, global float *out, uint n) {
  uint i = get_local_id(0);
  a[i] = i * 0.5f;
  b[i] = n - i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = a[(i + 1) % n] + b[(i + 2) % n];
}

kernel void offsets(global uint *out) {
  uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  uint at = (z * get_global_size(1) + y) * get_global_size(0) + x;
  out[at] = get_local_id(0) | get_local_id(1) << 4 | get_local_id(2) << 8 | get_group_id(0) << 12 | get_group_id(1) << 16 | get_group_id(2) << 20 | get_num_groups(0) << 24 | get_work_dim() << 28;
}

kernel void wide_copies(global const ulong8 *in, global ulong8 *out, global const uchar3 *in3, global uchar3 *out3) {
  uint i = get_global_id(0);
  out[i] = in[i].s76543210;
  out3[i] = in3[i].zxy;
}

// A ring through global memory, which only needs the order within a work-item.
kernel void chase(global const uint *next, global uint *out, uint steps) {
  uint at = get_global_id(0);
  for (uint k = 0; k < steps; k++)
    at = next[at];
  out[get_global_id(0)] = at;
}
