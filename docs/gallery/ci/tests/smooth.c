/* smooth FILE: launches the kernel of the code object, and compares with the host. */
#include <math.h>
#include <mgpu_runtime.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 1000, groups = (n + 255) / 256 };

static char image[1 << 20];

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 2;
  size_t size = fread(image, 1, sizeof image, file);
  fclose(file);

  float in[n], out[n];
  for (int i = 0; i < n; i++)
    in[i] = i % 7;

  void *module = mgpuModuleLoad(image, size);
  void *smooth = mgpuModuleGetFunction(module, "smooth");
  void *stream = mgpuStreamCreate();
  void *source = mgpuMemAlloc(sizeof in, stream, 0);
  void *target = mgpuMemAlloc(sizeof out, stream, 0);
  mgpuMemcpy(source, in, sizeof in, stream);
  int count = n;
  unsigned tile = 0;
  void *arguments[] = {&target, &source, &count, &tile};
  mgpuLaunchKernel(smooth, groups, 1, 1, 256, 1, 1, 258 * sizeof(float), stream,
                   arguments, NULL, 4);
  mgpuMemcpy(out, target, sizeof out, stream);
  mgpuStreamSynchronize(stream);
  mgpuMemFree(source, stream);
  mgpuMemFree(target, stream);
  mgpuStreamDestroy(stream);
  mgpuModuleUnload(module);

  int wrong = 0;
  for (int i = 0; i < n; i++) {
    float left = i > 0 ? in[i - 1] : 0, right = i + 1 < n ? in[i + 1] : 0;
    float want = (left + in[i] + right) / (3 - (i == 0) - (i == n - 1));
    wrong += !(fabsf(out[i] - want) < 1e-5f);
  }
  printf("%d of %d are wrong\n", wrong, n);
  return wrong != 0;
}
