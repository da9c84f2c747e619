// Floating-point numbers of all widths.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void double_basics(global const double *a, global const double *b, global double *out) {
  uint i = get_global_id(0);
  double x = a[i], y = b[i];
  out += 10 * i;
  out[0] = x + y;
  out[1] = x * y;
  out[2] = x / y;
  out[3] = sqrt(fabs(x));
  out[4] = fma(x, y, 1.0);
  out[5] = floor(x);
  out[6] = rint(y);
  out[7] = trunc(x) - ceil(y);
  out[8] = fmod(x, y);
  out[9] = ldexp(x, (int)(i % 40) - 20);
}

kernel void double_functions(global const double *a, global double *out) {
  uint i = get_global_id(0);
  double x = a[i];
  out += 10 * i;
  out[0] = exp(x);
  out[1] = sin(x);
  out[2] = cos(100 * x);
  out[3] = log(fabs(x) + 0.5);
  out[4] = pow(fabs(x) + 0.1, 1.7);
  out[5] = atan2(x, 0.3);
  out[6] = tanh(x);
  out[7] = erf(x);
  out[8] = cbrt(x);
  out[9] = tgamma(fabs(x) + 1);
}

kernel void float_basics(global const float *a, global const float *b, global float *out) {
  uint i = get_global_id(0);
  float x = a[i], y = b[i];
  out += 10 * i;
  out[0] = x - y;
  out[1] = x * y;
  out[2] = x / y;
  out[3] = sqrt(fabs(x));
  out[4] = fma(x, y, -x);
  out[5] = fmax(x, y) - fmin(x, y);
  out[6] = copysign(x, y);
  out[7] = round(x);
  out[8] = remainder(x, y);
  out[9] = nextafter(x, y);
}

kernel void float_functions(global const float *a, global float *out) {
  uint i = get_global_id(0);
  float x = a[i];
  out += 8 * i;
  out[0] = exp(x);
  out[1] = sin(x);
  out[2] = cos(1000 * x);
  out[3] = log2(fabs(x) + 0.5f);
  out[4] = pow(fabs(x), 0.3f);
  out[5] = atan(x);
  out[6] = rsqrt(fabs(x) + 1);
  out[7] = tan(x / 4);
}

kernel void conversions(global const double *in, global long *out) {
  uint i = get_global_id(0);
  double x = in[i];
  out += 8 * i;
  out[0] = (long)x;
  out[1] = convert_int_sat(x);
  out[2] = convert_uchar_sat_rte(x);
  out[3] = (ulong)fabs(x);
  out[4] = as_int((float)x);
  out[5] = as_short(convert_half(x));
  out[6] = as_long((double)(long)(x * 1e3));
  out[7] = as_int((float)(ulong)fabs(x * 1e4));
}

kernel void half_basics(global const half *a, global const half *b, global half *out) {
  uint i = get_global_id(0);
  half x = a[i], y = b[i];
  out += 6 * i;
  out[0] = x + y;
  out[1] = x * y;
  out[2] = x / y;
  out[3] = fmin(x, y);
  out[4] = floor(x);
  out[5] = x > y ? x : -y;
}

// Halves in pairs, stored as floats and back.
kernel void half_pairs(global const half2 *a, global const half2 *b, global half2 *out, global float2 *wide) {
  uint i = get_global_id(0);
  half2 x = a[i] * b[i] + (half2)(0.5h, -0.25h);
  out[i] = x.yx - fabs(a[i]);
  wide[i] = convert_float2(x);
}

kernel void half_storage(global const half *in, global half *out, global float *sum) {
  uint i = get_global_id(0);
  float4 x = vload_half4(i, in);
  sum[i] = x.x + x.y + x.z + x.w;
  vstore_half4_rte(x * 3, i, out);
}

// Compensated sums, which a compiler must not simplify.
kernel void compensated_sum(global const float *in, global float *out, uint n) {
  uint i = get_global_id(0);
  float sum = 0, lost = 0;
  for (uint k = 0; k < n; k++) {
    float y = in[i * n + k] - lost, t = sum + y;
    lost = (t - sum) - y;
    sum = t;
  }
  out[i] = sum;
}

kernel void classes(global const float *in, global int *out) {
  uint i = get_global_id(0);
  float x = in[i];
  int e;
  float m = frexp(x, &e);
  out[3 * i] = isnan(x) | isinf(x) << 1 | isnormal(x) << 2 | signbit(x) << 3 | (x == 0) << 4;
  out[3 * i + 1] = isnan(x) || isinf(x) ? 0 : e;
  out[3 * i + 2] = isnan(x) ? 0 : as_int(m);
}

// Roots of polynomials by Newton's method, until they no longer change.
kernel void newton(global const double *c, global double *out, global int *steps) {
  uint i = get_global_id(0);
  double x = 1;
  int n = 0;
  for (; n < 100; n++) {
    double next = x - (x * x * x - c[i]) / (3 * x * x);
    if (next == x)
      break;
    x = next;
  }
  out[i] = x;
  steps[i] = n;
}
