# HIP over CUDA: the HIP library for tests once more, its functions made of
# libcuda's. Included by test/fakehip/build.mk.
#
#   $(BUILD)/test/fakehip-cuda/libamdhip64.so.6

TESTHIP_CUDA         := $(BUILD)/test/fakehip-cuda
TESTHIP_CUDA_SHARED  := $(addprefix test/fakehip/lib/,entry.c call.c fault.c cost.c option.c host.c error.c)
TESTHIP_CUDA_SOURCES := $(filter-out %/vendor.c,$(wildcard test/fakehip/cuda/*.c)) $(TESTHIP_CUDA_SHARED)

.PHONY: testhip-cuda
testhip-cuda: $(TESTHIP_CUDA)/libamdhip64.so.6 ## HIP over CUDA, for tests on NVIDIA GPUs, build/test/fakehip-cuda

$(TESTHIP_CUDA)/libamdhip64.so.6: $(TESTHIP_CUDA_SOURCES) $(TESTHIP_HEADERS) $(wildcard test/fakehip/cuda/*.h) test/fakehip/cuda/build.mk
	@mkdir -p $(@D)
	$(CC) $(TESTHIP_CFLAGS) -shared -Wl,-soname,$(@F) -o $@ $(TESTHIP_CUDA_SOURCES) -ldl
