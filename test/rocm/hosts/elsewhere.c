/* Runs a kernel of the image that MODULE names, and one of the image that OTHER
   names, which calls a function of the first. */
#include "hip.h"

/* An image of any size, in memory. */
static hipModule_t load(const char *path) {
  hipModule_t m;
  long size;
  FILE *f = fopen(path, "rb");
  EXPECT(f != NULL && fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) > 0);
  void *image = malloc((size_t)size);
  rewind(f);
  EXPECT(image != NULL && fread(image, (size_t)size, 1, f) == 1);
  fclose(f);
  CHECK(hipModuleLoadData(&m, image));
  return m;
}

int main(void) {
  unsigned host[4] = {0}, *out;
  hipModule_t first = load(getenv("MODULE")), other = load(getenv("OTHER"));
  CHECK(hipMalloc((void **)&out, sizeof host));
  CHECK(hipMemcpy(out, host, sizeof host, hipMemcpyHostToDevice));
  for (int turn = 0; turn < 2; turn++) {
    launch(function(first, "late"), 1, 64, NULL, (void *[]){&out});
    launch(function(other, "calls"), 1, 64, NULL, (void *[]){&out});
  }
  CHECK(hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost));
  EXPECT(host[0] == 7);
  EXPECT(host[1] == 7);
  CHECK(hipModuleUnload(first));
  CHECK(hipModuleUnload(other));
  puts("ok");
}
