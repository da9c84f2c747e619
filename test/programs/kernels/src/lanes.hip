// Operations between lanes of a wave, in HIP, with minimal definitions of their own.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
typedef unsigned int uint;
typedef unsigned long ulong;

#ifndef LANES
#define LANES 64
#endif

static __device__ uint item() { return __builtin_amdgcn_workitem_id_x(); }
static __device__ uint index() { return __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + item(); }
static __device__ uint lane() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }
static __device__ uint from(uint l, uint v) { return __builtin_amdgcn_ds_bpermute(l << 2, v); }
static __device__ ulong ballot(bool b) { return __builtin_amdgcn_uicmp((uint)b, 0u, 33); }

extern "C" __global__ void ballots(const uint *in, ulong *out) {
  uint i = index();
  ulong odd = ballot(in[i] & 1), later = 0;
  if (in[i] % 3 == 0)
    later = ballot(in[i] & 2);
  out[2 * i] = odd;
  out[2 * i + 1] = later;
}

extern "C" __global__ void shuffles(const uint *in, uint *out) {
  uint i = index(), v = in[i], l = lane();
  out[4 * i] = from(l ^ 21, v);
  out[4 * i + 1] = from((l + 7) % LANES, v);
  out[4 * i + 2] = from(v % LANES, v);
  out[4 * i + 3] = __builtin_amdgcn_ds_permute((LANES - 1 - l) << 2, v);
}

extern "C" __global__ void wave_sum(const int *in, int *out) {
  int v = in[index()];
  for (int d = 16; d > 0; d >>= 1)
    v += from(lane() ^ d, v);
  if (LANES == 64) // ds_bpermute stays within 32 lanes on some chips
    v = __builtin_amdgcn_readlane(v, 0) + __builtin_amdgcn_readlane(v, 32);
  if (lane() == 0)
    out[index() / LANES] = v;
}

#define DPP(old, v, ctrl, rows) __builtin_amdgcn_update_dpp(old, v, ctrl, rows, 0xf, false)

// A sum over the lanes below, in the data path.
extern "C" __global__ void dpp_scan(const uint *in, uint *out) {
  uint v = in[index()];
  v += DPP(0, v, 0x111, 0xf);
  v += DPP(0, v, 0x112, 0xf);
  v += DPP(0, v, 0x114, 0xf);
  v += DPP(0, v, 0x118, 0xf);
#ifdef __GFX9__
  v += DPP(0, v, 0x142, 0xa);
  v += DPP(0, v, 0x143, 0xc);
#else
  uint below = __builtin_amdgcn_permlanex16(0, v, ~0u, ~0u, false, false); // the last lane of the row beside
  v += lane() & 16 ? below : 0;
  uint half = __builtin_amdgcn_readlane(v, 31);
  v += lane() & 32 ? half : 0;
#endif
  out[index()] = v;
}

// All moves of data between lanes without memory.
extern "C" __global__ void dpp_moves(const uint *in, uint *out) {
  uint v = in[index()];
  out += 8 * index();
  out[0] = DPP(7, v, 0x1b, 0xf);   // quads reversed
  out[1] = DPP(7, v, 0x101, 0xf);  // row shifted left
  out[2] = DPP(7, v, 0x123, 0xf);  // row rotated right by 3
  out[3] = DPP(7, v, 0x140, 0xf);  // row mirrored
  out[4] = DPP(7, v, 0x141, 0xf);  // half rows mirrored
#ifdef __GFX9__
  out[5] = DPP(7, v, 0x130, 0xf);  // wave shifted left
  out[6] = DPP(7, v, 0x13c, 0xf);  // wave rotated right
#else
  out[5] = DPP(7, v, 0x155, 0xf);                       // lane 5 of each row
  out[6] = __builtin_amdgcn_mov_dpp8(v, 0x53977);       // any of eight lanes
#endif
  out[7] = __builtin_amdgcn_ds_swizzle(v, 0x401f); // lanes exchanged in 32: xor 16
}

extern "C" __global__ void first_lane(const uint *in, uint *out) {
  uint i = index(), v = in[i];
  out[2 * i] = __builtin_amdgcn_readfirstlane(v);
  out[2 * i + 1] = 0;
  if (v & 4)
    out[2 * i + 1] = __builtin_amdgcn_readfirstlane(v) + __builtin_amdgcn_readlane(v, LANES - 1);
}

// Finds the lanes with the same key.
extern "C" __global__ void match_any(const uint *in, ulong *out) {
  uint key = in[index()] & 7;
  ulong mine = 0;
  for (bool open = true; open;) {
    uint first = __builtin_amdgcn_readfirstlane(key);
    if (key == first) {
      mine = __builtin_amdgcn_read_exec();
      open = false;
    }
  }
  out[index()] = mine;
}

// One atomic for a wave, and each lane's place in it.
extern "C" __global__ void wave_append(const uint *in, uint *list, uint *count) {
  uint v = in[index()];
  if (v % 3)
    return;
  ulong active = __builtin_amdgcn_read_exec();
  uint place = __builtin_amdgcn_mbcnt_hi(active >> 32, __builtin_amdgcn_mbcnt_lo((uint)active, 0)), base = 0;
  if (place == 0)
    base = __atomic_fetch_add(count, (uint)__builtin_popcountl(active), __ATOMIC_RELAXED);
  base = __builtin_amdgcn_readfirstlane(base);
  list[base + place] = v;
}

extern "C" __global__ void byte_work(const uint *a, const uint *b, uint *out) {
  uint i = index(), x = a[i], y = b[i];
  out += 6 * i;
  out[0] = __builtin_amdgcn_perm(x, y, 0x06010c04);
  out[1] = __builtin_amdgcn_alignbyte(x, y, 3);
  out[2] = __builtin_amdgcn_sad_u8(x, y, 5);
  out[3] = __builtin_amdgcn_ubfe(x, y & 31, 9);
  out[4] = __builtin_amdgcn_lerp(x, y, 0x01000100);
  out[5] = __builtin_amdgcn_sbfe(x, 4, y & 15);
}
