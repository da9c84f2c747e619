# HIP over CUDA: the HIP library for tests once more, its functions made of
# libcuda's. Included by test/hip/build.mk.
#
#   $(BUILD)/test/hip-cuda/libamdhip64.so.6

TESTHIP_CUDA         := $(BUILD)/test/hip-cuda
TESTHIP_CUDA_SHARED  := $(addprefix test/hip/lib/,entry.c call.c fault.c cost.c option.c host.c error.c)
TESTHIP_CUDA_SOURCES := $(filter-out %/vendor.c,$(wildcard test/hip/cuda/*.c)) $(TESTHIP_CUDA_SHARED)

.PHONY: testhip-cuda
testhip-cuda: $(TESTHIP_CUDA)/libamdhip64.so.6 ## HIP over CUDA, for tests on NVIDIA GPUs, build/test/hip-cuda

$(TESTHIP_CUDA)/libamdhip64.so.6: $(TESTHIP_CUDA_SOURCES) $(TESTHIP_HEADERS) $(wildcard test/hip/cuda/*.h) test/hip/cuda/build.mk
	@mkdir -p $(@D)
	$(CC) $(TESTHIP_CFLAGS) -shared -Wl,-soname,$(@F) -o $@ $(TESTHIP_CUDA_SOURCES) -ldl
