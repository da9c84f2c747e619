/* described IMAGE: what the code object of a kernel, and the process manager, say to a program. */
#include "capture.h"

static void arguments(void *module, const char *kernel) {
  struct mgpux_kernel_argument a;
  for (size_t i = 0;
       mgpuxGetKernelArgument(module, kernel, i, &a, sizeof a) == sizeof a; i++)
    printf("%s %zu: %s, %d bytes at %d, %s\n", kernel, i, a.name, (int)a.bytes,
           (int)a.offset, a.kind);
}

int main(int argc, char **argv) {
  static char image[1 << 20];
  struct mgpux_rank r;
  memset(&r, 0xee, sizeof r);
  printf("rank: size %d, ",
         mgpuxGetRank(&r, sizeof r) == sizeof r && r.size == sizeof r);
  printf("%d of %d here, %d of %d in all\n", r.local, r.local_ranks, r.world,
         r.ranks);
  memset(&r, 0xee, sizeof r);
  mgpuxGetRank(&r, 12);
  printf("cut short: %d %d, NULL: %d\n", (int)r.size,
         r.local_ranks == (int32_t)0xeeeeeeee,
         mgpuxGetRank(NULL, 0) == sizeof r);
  struct mgpux_kernel_argument a;
  memset(&a, 0xee, sizeof a);
  printf("before a driver is open: %zu\n",
         mgpuxGetKernelArgument((void *)image, "saxpy", 0, &a, sizeof a));
  if (argc < 2)
    return 0;

  FILE *f = fopen(argv[1], "rb");
  size_t size = fread(image, 1, sizeof image, f);
  fclose(f);
  void *module = mgpuModuleLoad(image, size);
  arguments(module, "saxpy");
  arguments(module, "sizes");
  arguments(module, "nothing");
  printf("none: %zu %zu %zu %zu %zu, untouched %d\n",
         mgpuxGetKernelArgument(module, "saxpy", 99, &a, sizeof a),
         mgpuxGetKernelArgument(module, NULL, 0, &a, sizeof a),
         mgpuxGetKernelArgument(module, (const char *)8, 0, &a, sizeof a),
         mgpuxGetKernelArgument(NULL, "saxpy", 0, &a, sizeof a),
         mgpuxGetKernelArgument(image, "saxpy", 0, &a, sizeof a),
         a.bytes == 0xeeeeeeeeeeeeeeee);
  size_t known = mgpuxGetKernelArgument(module, "saxpy", 0, &a, 8);
  printf("cut short: %d %d, NULL: %d\n", (int)a.bytes,
         a.offset == 0xeeeeeeeeeeeeeeee && known == sizeof a,
         mgpuxGetKernelArgument(module, "saxpy", 0, NULL, 0) == sizeof a);
  mgpuModuleUnload(module);
  return 0;
}
