// Copies between memory and LDS, and loads that transpose, of gfx1250.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef unsigned int uint;
typedef unsigned char uchar;
typedef int int2_ __attribute__((ext_vector_type(2)));
typedef int int4_ __attribute__((ext_vector_type(4)));
typedef int int8_ __attribute__((ext_vector_type(8)));
typedef short short8_ __attribute__((ext_vector_type(8)));
typedef half half8_ __attribute__((ext_vector_type(8)));
typedef half half16_ __attribute__((ext_vector_type(16)));
typedef float float8_ __attribute__((ext_vector_type(8)));

#define LANE __builtin_amdgcn_workitem_id_x()

// Reverses 512 bytes for each of the widths: in memory, by way of LDS, in memory.
kernel void copy(global uchar *from, global uchar *to) {
  local uchar bytes[32 * 16 + 16];
  uint l = LANE;
  __builtin_amdgcn_global_load_async_to_lds_b128((global int4_ *)(from + 16 * l), (local int4_ *)(bytes + 16 * (31 - l)), 0, 0);
  __builtin_amdgcn_s_wait_asynccnt(0);
  __builtin_amdgcn_global_store_async_from_lds_b64((global int2_ *)(to + 16 * l), (local int2_ *)(bytes + 16 * l), 0, 0);
  __builtin_amdgcn_global_store_async_from_lds_b32((global int *)(to + 16 * l), (local int *)(bytes + 16 * l), 8, 0);
  for (int n = 12; n < 16; n++)
    __builtin_amdgcn_global_store_async_from_lds_b8((global char *)(to + 16 * l + n), (local char *)(bytes + 16 * l + n), 0, 0);
  __builtin_amdgcn_s_wait_asynccnt(0);
  if (l % 3 == 0) { // with inactive lanes
    __builtin_amdgcn_global_load_async_to_lds_b64((global int2_ *)(from + 16 * l), (local int2_ *)(bytes + 16 * l), 0, 0);
    __builtin_amdgcn_global_load_async_to_lds_b32((global int *)(from + 16 * l), (local int *)(bytes + 16 * l), 8, 0);
    for (int n = 12; n < 16; n++)
      __builtin_amdgcn_global_load_async_to_lds_b8((global char *)(from + 16 * l + n), (local char *)(bytes + 16 * l + n), 0, 0);
  }
  __builtin_amdgcn_s_wait_asynccnt(0);
  __builtin_amdgcn_global_store_async_from_lds_b128((global int4_ *)(to + 512 + 16 * l), (local int4_ *)(bytes + 16 * l), 0, 0);
}

// A is 16x32 in columns and B 32x16 in rows, of halves; C 16x16.
kernel void product_of_halves(global half *a, global half *b, global float *c, int lds) {
  local half s[2][512];
  uint l = LANE;
  for (int n = 0; n < 16; n++) {
    s[0][l + 32 * n] = a[l + 32 * n];
    s[1][l + 32 * n] = b[l + 32 * n];
  }
  half16_ x, y;
  for (int part = 0; part < 2; part++) {
    int at = (part * 16 + l % 8 + l / 16 * 8) * 16 + l % 16 / 8 * 8;
    half8_ p, q;
    if (lds) {
      p = __builtin_bit_cast(half8_, __builtin_amdgcn_ds_load_tr16_b128_v8i16((local short8_ *)(s[0] + at)));
      q = __builtin_bit_cast(half8_, __builtin_amdgcn_ds_load_tr16_b128_v8i16((local short8_ *)(s[1] + at)));
    } else {
      p = __builtin_bit_cast(half8_, __builtin_amdgcn_global_load_tr16_b128_v8i16((global short8_ *)(a + at)));
      q = __builtin_bit_cast(half8_, __builtin_amdgcn_global_load_tr16_b128_v8i16((global short8_ *)(b + at)));
    }
    for (int n = 0; n < 8; n++) {
      x[part * 8 + n] = p[n];
      y[part * 8 + n] = q[n];
    }
  }
  float8_ z = 0;
  z = __builtin_amdgcn_wmma_f32_16x16x32_f16(false, x, false, y, 0, z, false, false);
  for (int n = 0; n < 8; n++) c[(l / 16 * 8 + n) * 16 + l % 16] = z[n];
}

// A is 16x64 in columns and B 64x16 in rows, of signed bytes.
kernel void product_of_bytes(global uchar *a, global uchar *b, global int *c, int lds) {
  local uchar s[2][1024];
  uint l = LANE;
  for (int n = 0; n < 32; n++) {
    s[0][l + 32 * n] = a[l + 32 * n];
    s[1][l + 32 * n] = b[l + 32 * n];
  }
  int8_ x, y, z = 0;
  for (int part = 0; part < 4; part++) {
    int at = (part * 16 + l / 8 * 4 + l % 4) * 16 + l % 8 / 4 * 8;
    int2_ p, q;
    if (lds) {
      p = __builtin_amdgcn_ds_load_tr8_b64_v2i32((local int2_ *)(s[0] + at));
      q = __builtin_amdgcn_ds_load_tr8_b64_v2i32((local int2_ *)(s[1] + at));
    } else {
      p = __builtin_amdgcn_global_load_tr8_b64_v2i32((global int2_ *)(a + at));
      q = __builtin_amdgcn_global_load_tr8_b64_v2i32((global int2_ *)(b + at));
    }
    x[2 * part] = p.x, x[2 * part + 1] = p.y;
    y[2 * part] = q.x, y[2 * part + 1] = q.y;
  }
  z = __builtin_amdgcn_wmma_i32_16x16x64_iu8(true, x, true, y, z, false, false);
  for (int n = 0; n < 8; n++) c[(l / 16 * 8 + n) * 16 + l % 16] = z[n];
}

// The waves of a cluster, which is one workgroup, reverse its words, and add the workgroup's numbers in it.
kernel void cluster(global int *p) {
  local int x[128];
  uint l = LANE, at = __builtin_amdgcn_workgroup_id_x() * 128;
  x[l] = p[at + l];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_cluster_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  p[at + l] = x[127 - l] + __builtin_amdgcn_cluster_workgroup_id_x() + __builtin_amdgcn_cluster_id_x() * 1000;
}
