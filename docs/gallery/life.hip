// Conway's Game of Life with HIP: a glider in a world of 12 x 24 cells that closes on itself.
// Each workgroup holds its tile and the cells around it in workgroup memory.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>
#include <utility>

enum { rows = 12, columns = 24, tile = 4, generations = 32 };

#define CHECK(call)                                                            \
  if (hipError_t error = (call); error != hipSuccess) {                        \
    fprintf(stderr, "%s: %s\n", #call, hipGetErrorName(error));                \
    return 1;                                                                  \
  }

__global__ void step(const char *now, char *next) {
  __shared__ char cells[tile + 2][tile + 2];
  int i = blockIdx.y * tile + threadIdx.y, j = blockIdx.x * tile + threadIdx.x;
  for (int k = threadIdx.y * tile + threadIdx.x; k < (tile + 2) * (tile + 2);
       k += tile * tile) {
    int row = blockIdx.y * tile + k / (tile + 2) - 1;
    int column = blockIdx.x * tile + k % (tile + 2) - 1;
    cells[k / (tile + 2)][k % (tile + 2)] =
        now[(row + rows) % rows * columns + (column + columns) % columns];
  }
  __syncthreads();
  int neighbours = -cells[threadIdx.y + 1][threadIdx.x + 1];
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 3; x++)
      neighbours += cells[threadIdx.y + y][threadIdx.x + x];
  bool alive = cells[threadIdx.y + 1][threadIdx.x + 1];
  next[i * columns + j] = neighbours == 3 || (alive && neighbours == 2);
}

int main() {
  char world[rows][columns] = {};
  world[1][2] = world[2][3] = world[3][1] = world[3][2] = world[3][3] = 1;
  char *now, *next;
  CHECK(hipMalloc((void **)&now, sizeof world));
  CHECK(hipMalloc((void **)&next, sizeof world));
  CHECK(hipMemcpy(now, world, sizeof world, hipMemcpyHostToDevice));
  for (int k = 0; k < generations; k++) {
    step<<<dim3(columns / tile, rows / tile), dim3(tile, tile)>>>(now, next);
    std::swap(now, next);
  }
  CHECK(hipMemcpy(world, now, sizeof world, hipMemcpyDeviceToHost));
  for (auto &row : world) {
    for (char cell : row)
      putchar(cell ? '#' : '.');
    putchar('\n');
  }
  return 0;
}
