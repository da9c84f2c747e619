/* OpenCL by AMD's runtime, which compiles the source: a sum through workgroup memory, on each GPU. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct object *object; /* any of OpenCL's */

int clGetPlatformIDs(unsigned, object *, unsigned *);
int clGetDeviceIDs(object, uint64_t, unsigned, object *, unsigned *);
object clCreateContext(const intptr_t *, unsigned, const object *, void *,
                       void *, int *);
object clCreateCommandQueue(object, object, uint64_t, int *);
object clCreateBuffer(object, uint64_t, size_t, void *, int *);
object clCreateProgramWithSource(object, unsigned, const char **,
                                 const size_t *, int *);
int clBuildProgram(object, unsigned, const object *, const char *, void *,
                   void *);
object clCreateKernel(object, const char *, int *);
int clSetKernelArg(object, unsigned, size_t, const void *);
int clEnqueueNDRangeKernel(object, object, unsigned, const size_t *,
                           const size_t *, const size_t *, unsigned,
                           const object *, object *);
int clEnqueueReadBuffer(object, object, unsigned, size_t, size_t, void *,
                        unsigned, const object *, object *);

enum { gpus = 1 << 2, read_write = 1, copy_host = 1 << 5 };

static const char *source =
    "__kernel void sum(__global const int *in, __global int *out) {\n"
    "  __local int words[64];\n"
    "  int i = get_local_id(0);\n"
    "  words[i] = in[get_global_id(0)];\n"
    "  for (int rest = 32; rest > 0; rest /= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (i < rest)\n"
    "      words[i] += words[i + rest];\n"
    "  }\n"
    "  if (i == 0)\n"
    "    atomic_add(out, words[0]);\n"
    "}\n";

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("line %d: not %s\n", __LINE__, #condition);                       \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

int main(void) {
  object platform, devices[8];
  unsigned count;
  int error;
  EXPECT(clGetPlatformIDs(1, &platform, &count) == 0 && count == 1);
  EXPECT(clGetDeviceIDs(platform, gpus, 8, devices, &count) == 0);
  EXPECT(count == 2);
  object context = clCreateContext(NULL, count, devices, NULL, NULL, &error);
  EXPECT(error == 0);
  object program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  EXPECT(clBuildProgram(program, count, devices, "", NULL, NULL) == 0);
  for (unsigned d = 0; d < count; d++) {
    int in[4096], out = 0, want = 0;
    for (int i = 0; i < 4096; i++)
      want += in[i] = i * 7 % 1000 - 300;
    object queue = clCreateCommandQueue(context, devices[d], 0, &error);
    EXPECT(error == 0);
    object from =
        clCreateBuffer(context, read_write | copy_host, sizeof in, in, &error);
    object to = clCreateBuffer(context, read_write | copy_host, sizeof out,
                               &out, &error);
    object kernel = clCreateKernel(program, "sum", &error);
    EXPECT(error == 0);
    EXPECT(clSetKernelArg(kernel, 0, sizeof from, &from) == 0);
    EXPECT(clSetKernelArg(kernel, 1, sizeof to, &to) == 0);
    size_t items = 4096, group = 64;
    EXPECT(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0,
                                  NULL, NULL) == 0);
    EXPECT(clEnqueueReadBuffer(queue, to, 1, 0, sizeof out, &out, 0, NULL,
                               NULL) == 0);
    EXPECT(out == want);
  }
  puts("ok");
}
