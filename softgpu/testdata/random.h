// What random programs are made of, for OpenCL and for C on the host.
// Operations that C leaves undefined are given a meaning here.
#ifdef __OPENCL_C_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef char i8;
typedef uchar u8;
typedef short i16;
typedef ushort u16;
typedef int i32;
typedef uint u32;
typedef long i64;
typedef ulong u64;
typedef half f16;
#else
#include <stdint.h>
#include <stdio.h>
typedef int8_t i8;
typedef uint8_t u8;
typedef int16_t i16;
typedef uint16_t u16;
typedef int32_t i32;
typedef uint32_t u32;
typedef long i64;
typedef unsigned long u64;
typedef _Float16 f16;
#endif
typedef float f32;
typedef double f64;

#define FLOAT(F, U, ABS)                                                       \
  static F F##of(U x) {                                                        \
    union {                                                                    \
      F f;                                                                     \
      U u;                                                                     \
    } v;                                                                       \
    v.u = x;                                                                   \
    return v.f;                                                                \
  }                                                                            \
  static u64 bits_##F(F x) {                                                   \
    union {                                                                    \
      F f;                                                                     \
      U u;                                                                     \
    } v;                                                                       \
    v.f = x;                                                                   \
    return x != x ? 1 : v.u;                                                   \
  }                                                                            \
  static F abs_##F(F x) {                                                      \
    union {                                                                    \
      F f;                                                                     \
      U u;                                                                     \
    } v;                                                                       \
    v.f = x;                                                                   \
    v.u &= ABS;                                                                \
    return v.f;                                                                \
  }
FLOAT(f16, u16, 0x7fff)
FLOAT(f32, u32, 0x7fffffff)
FLOAT(f64, u64, 0x7fffffffffffffffL)

#define INTEGER(T)                                                             \
  static u64 bits_##T(T x) { return (u64)x; }
INTEGER(i8)
INTEGER(u8)
INTEGER(i16)
INTEGER(u16)
INTEGER(i32)
INTEGER(u32)
INTEGER(i64)
INTEGER(u64)

static i32 int_f16(f16 x) {
  return x > (f16)-100 && x < (f16)100 ? (i32)x : 77;
}
static i32 int_f32(f32 x) { return x > -1e9f && x < 1e9f ? (i32)x : 77; }
static i64 int_f64(f64 x) { return x > -1e18 && x < 1e18 ? (i64)x : 77; }
static u32 clz64(u64 x) { return x ? (u32)__builtin_clzl(x) : 64; }
static u32 rot32(u32 x, u32 n) {
  n &= 31;
  return (x << n) | (x >> ((32 - n) & 31));
}

static f16 fma_f16(f16 a, f16 b, f16 c) { return a * b + c; }
#define fma_f32 __builtin_fmaf
#define fma_f64 __builtin_fma
#define trunc_f16(x) ((f16)__builtin_truncf((f32)(x)))
#define trunc_f32 __builtin_truncf
#define trunc_f64 __builtin_trunc
#define floor_f16(x) ((f16)__builtin_floorf((f32)(x)))
#define floor_f32 __builtin_floorf
#define floor_f64 __builtin_floor
#define rint_f16(x) ((f16)__builtin_rintf((f32)(x)))
#define rint_f32 __builtin_rintf
#define rint_f64 __builtin_rint
#define sqrt_f16(x) (x)
#define sqrt_f32 __builtin_sqrtf
#define sqrt_f64 __builtin_sqrt
