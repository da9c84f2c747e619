// The contract from C++: a launch through an owning handle.
#include <mgpu_runtime.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>

int main() {
  struct Destroy {
    void operator()(void *s) const { mgpuStreamDestroy(s); }
  };
  std::unique_ptr<void, Destroy> stream{mgpuStreamCreate()};
  std::array<std::uint32_t, 8> back{};
  void *device = mgpuMemAlloc(sizeof back, stream.get(), false);
  mgpuMemset32(device, 9, back.size(), stream.get());
  mgpuMemcpy(back.data(), device, sizeof back, stream.get());
  mgpuStreamSynchronize(stream.get());
  mgpuMemFree(device, stream.get());
  std::printf("%u %u\n", back.front(), back.back());
}
