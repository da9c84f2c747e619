# HIP over CUDA: the HIP library for tests once more, its functions made of
# libcuda's. Included by test/fakehip/build.mk.
#
#   $(BUILD)/test/fakehip-cuda/libamdhip64.so.6

FAKEHIP_CUDA         := $(BUILD)/test/fakehip-cuda
FAKEHIP_CUDA_SHARED  := $(addprefix test/fakehip/lib/,entry.c call.c fault.c cost.c option.c host.c error.c)
FAKEHIP_CUDA_SOURCES := $(filter-out %/vendor.c,$(wildcard test/fakehip/cuda/*.c)) $(FAKEHIP_CUDA_SHARED)

.PHONY: fakehip-cuda
fakehip-cuda: $(FAKEHIP_CUDA)/libamdhip64.so.6 ## HIP over CUDA, for tests on NVIDIA GPUs, build/test/fakehip-cuda

# Built with the other, so that it links on machines without a GPU too.
fakehip: $(FAKEHIP_CUDA)/libamdhip64.so.6

$(FAKEHIP_CUDA)/libamdhip64.so.6: $(FAKEHIP_CUDA_SOURCES) $(FAKEHIP_HEADERS) $(wildcard test/fakehip/cuda/*.h) test/fakehip/cuda/build.mk
	@mkdir -p $(@D)
	@scripts/step CC $@ $(CC) $(FAKEHIP_CFLAGS) -shared -Wl,-soname,$(@F),-z,defs -o $@ $(FAKEHIP_CUDA_SOURCES) -ldl
