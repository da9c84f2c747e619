// OpenCL C 2.0
// Images that are read: of one, two and three dimensions, arrays, several formats and samplers.

__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

__kernel void fetch(read_only image2d_t image, __global float4 *out) {
  int x = get_global_id(0) - 2, y = get_global_id(1) - 2;
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = read_imagef(image, nearest, (int2)(x, y));
}

__kernel void sample(read_only image2d_t image, sampler_t s, __global float2 *at, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = read_imagef(image, s, at[i]);
}

__kernel void sample_line(read_only image1d_t image, sampler_t s, __global float *at, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = read_imagef(image, s, at[i]);
}

__kernel void sample_volume(read_only image3d_t image, sampler_t s, __global float4 *at, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = read_imagef(image, s, at[i]);
}

__kernel void sample_layers(read_only image2d_array_t image, sampler_t s, __global float4 *at, __global uint4 *out) {
  int i = get_global_id(0);
  out[i] = read_imageui(image, s, at[i]);
}
