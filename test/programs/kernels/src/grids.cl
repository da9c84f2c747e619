// Stencils and simulations.

// Five points; tiles of 16x16 with their borders in workgroup memory.
kernel void stencil(global const float *in, global float *out, int w, int h) {
  local float s[18][18];
  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  for (int j = ly; j < 18; j += 16)
    for (int i = lx; i < 18; i += 16) {
      int gx = x - lx + i - 1, gy = y - ly + j - 1;
      s[j][i] = gx >= 0 && gx < w && gy >= 0 && gy < h ? in[gy * w + gx] : 0;
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < w && y < h)
    out[y * w + x] = 0.5f * s[ly + 1][lx + 1] + 0.125f * (s[ly][lx + 1] + s[ly + 2][lx + 1] + s[ly + 1][lx] + s[ly + 1][lx + 2]);
}

// Seven points in three dimensions, doubles.
kernel void stencil3(global const double *in, global double *out) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int nx = get_global_size(0), ny = get_global_size(1), nz = get_global_size(2);
#define AT(x, y, z) in[((z + nz) % nz * ny + (y + ny) % ny) * nx + (x + nx) % nx]
  out[(z * ny + y) * nx + x] = AT(x, y, z) - (AT(x - 1, y, z) + AT(x + 1, y, z) + AT(x, y - 1, z) + AT(x, y + 1, z) + AT(x, y, z - 1) + AT(x, y, z + 1)) / 6;
}

kernel void life(global const uchar *in, global uchar *out) {
  int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1), n = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx || dy)
        n += in[(y + dy + h) % h * w + (x + dx + w) % w];
  out[y * w + x] = n == 3 || (n == 2 && in[y * w + x]);
}

kernel void mandelbrot(global ushort *out, float x0, float y0, float step) {
  int px = get_global_id(0), py = get_global_id(1);
  float cx = x0 + px * step, cy = y0 + py * step, x = 0, y = 0;
  ushort n = 0;
  while (x * x + y * y < 4 && n < 200) {
    float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    n++;
  }
  out[py * get_global_size(0) + px] = n;
}

kernel void julia(global uchar *out, double2 c) {
  double x = (get_global_id(0) - 32.0) / 20, y = (get_global_id(1) - 8.0) / 10;
  uchar n = 0;
  for (; n < 100 && x * x + y * y < 4; n++) {
    double t = x * x - y * y + c.x;
    y = 2 * x * y + c.y;
    x = t;
  }
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = n;
}

// N-body attraction: position and mass in four floats, tiles of 64.
kernel void nbody(global const float4 *body, global float4 *force, uint n) {
  local float4 s[64];
  uint i = get_global_id(0), l = get_local_id(0);
  float4 me = body[i], sum = 0;
  for (uint t = 0; t < n; t += 64) {
    s[l] = body[t + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 64; k++) {
      float4 d = s[k] - me;
      float r2 = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f, r = sqrt(r2);
      float f = s[k].w / (r2 * r);
      sum.x += f * d.x;
      sum.y += f * d.y;
      sum.z += f * d.z;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  force[i] = sum;
}

// One step of the shortest paths between all nodes.
kernel void floyd(global int *d, int n, int k) {
  int i = get_global_id(1), j = get_global_id(0);
  int way = d[i * n + k] + d[k * n + j];
  if (way < d[i * n + j])
    d[i * n + j] = way;
}

kernel void transpose(global const uint *in, global uint *out, uint w, uint h) {
  local uint s[16][17];
  uint lx = get_local_id(0), ly = get_local_id(1);
  s[ly][lx] = in[get_global_id(1) * w + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * 16 + ly) * h + get_group_id(1) * 16 + lx] = s[lx][ly];
}
