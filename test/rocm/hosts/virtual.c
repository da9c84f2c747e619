/* Addresses that the program reserves and maps memory to, on HIP 6 and later: two pieces of memory, one
 * after the other, one of them mapped twice, and addresses that get other memory. */
#include "hip.h"

enum { size = 2 << 20 };

static const hipMemAccessDesc access_by_device = {
    {hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};

/* hipMemAllocationProp as it is from HIP 6 on: the header may be 5.2's. */
struct properties {
  int type;
  unsigned handles;
  hipMemLocation location;
  void *windows;
  unsigned char compression, rdma;
  unsigned short usage;
};

typedef hipMemGenericAllocationHandle_t memory;

static void map(char *at, memory m) {
  CHECK(hipMemMap(at, size, 0, m, 0));
  CHECK(hipMemSetAccess(at, size, &access_by_device, 1));
}

static int word(const char *at) {
  int w;
  CHECK(hipMemcpy(&w, at, sizeof w, hipMemcpyDeviceToHost));
  return w;
}

int main(void) {
  hipFunction_t increment = function(module(), "increment");
  const struct properties of = {.type = hipMemAllocationTypePinned,
                                .location = {hipMemLocationTypeDevice, 0}};
  const hipMemAllocationProp *p = (const void *)&of;
  memory m[2];
  char *at;
  CHECK(hipMemAddressReserve((void **)&at, 4 * size, 0, NULL, 0));
  for (int i = 0; i < 2; i++) {
    CHECK(hipMemCreate(&m[i], size, p, 0));
    map(at + i * size, m[i]);
  }
  CHECK(hipMemsetD32((hipDeviceptr_t)at, 10, 2 * size / 4));
  char *last = at + 2 * size - 4 * 64;
  launch(increment, 1, 64, NULL, (void *[]){&last});
  CHECK(hipDeviceSynchronize());
  EXPECT(word(at) == 10 && word(last) == 11);
  map(at + 3 * size, m[1]);
  EXPECT(word(last + 2 * size) == 11); /* the same memory */

  CHECK(hipMemUnmap(at, size));
  map(at + 2 * size, m[0]);
  char *third = at + 2 * size;
  launch(increment, 1, 64, NULL, (void *[]){&third});
  CHECK(hipDeviceSynchronize());
  EXPECT(word(at + 2 * size) == 11);
  for (int i = 1; i < 4; i++)
    CHECK(hipMemUnmap(at + i * size, size));
  for (int i = 0; i < 2; i++)
    CHECK(hipMemRelease(m[i]));
  CHECK(hipMemAddressFree(at, 4 * size));
  puts("ok");
}
