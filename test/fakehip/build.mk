# The HIP library for tests: included by the Makefile, and complete by itself
# ('make -f test/fakehip/build.mk' from the repository's root).
#
#   BUILD     where to: $(BUILD)/test/fakehip/libamdhip64.so.6, and the modules of
#             the conformance suite beside it, *.bundle
#   SANITIZE  what to build it with: thread; address,undefined

BUILD    ?= build
FAKEHIP  := $(BUILD)/test/fakehip
SANITIZE ?=

FAKEHIP_CFLAGS := -std=gnu11 -O2 -g -fPIC -fvisibility=hidden -pthread -Wall -Wextra -Werror -Wstrict-prototypes \
	$(SANITIZE:%=-fsanitize=%)
FAKEHIP_SOURCES := $(filter-out %/vendor.c,$(wildcard test/fakehip/lib/*.c))
FAKEHIP_HEADERS := $(wildcard test/fakehip/*.h test/fakehip/lib/*.h)

.PHONY: fakehip
fakehip: $(FAKEHIP)/libamdhip64.so.6 $(FAKEHIP)/suite.bundle $(FAKEHIP)/other.bundle $(FAKEHIP)/wrong.bundle ## the HIP library for tests, build/test/fakehip

$(FAKEHIP)/libamdhip64.so.6: $(FAKEHIP_SOURCES) $(FAKEHIP_HEADERS) test/fakehip/build.mk
	@mkdir -p $(@D)
	@scripts/step CC $@ $(CC) $(FAKEHIP_CFLAGS) -shared -Wl,-soname,$(@F),-z,defs -o $@ $(FAKEHIP_SOURCES) -ldl

# Compiles where the library's declarations agree with the vendor's header.
.PHONY: fakehip-vendor
fakehip-vendor:
	$(CC) $(FAKEHIP_CFLAGS) -fsyntax-only test/fakehip/lib/vendor.c

$(FAKEHIP)/bundle: test/fakehip/tool/bundle.c test/fakehip/bundle.h
	@mkdir -p $(@D)
	@scripts/step CC $@ $(CC) -std=gnu11 -O1 -Wall -Wextra -Werror -o $@ $<

$(FAKEHIP)/other.so: FAKEHIP_DEFINES := -DOTHER=1
$(FAKEHIP)/suite.so $(FAKEHIP)/other.so: test/fakehip/kernels/suite.c test/fakehip/kernel.h
	@mkdir -p $(@D)
	@scripts/step CC $@ $(CC) $(FAKEHIP_CFLAGS) $(FAKEHIP_DEFINES) -shared -o $@ $<

$(FAKEHIP)/other.bundle: $(FAKEHIP)/other.so $(FAKEHIP)/bundle
	@scripts/step PACK $@ $(FAKEHIP)/bundle $@ $<

# With the same kernels for a GPU, which are never executed: graphs need the sizes of
# parameters, and the HIP driver reads them there. Without clang-22 nothing is recorded.
$(FAKEHIP)/suite.bundle: $(FAKEHIP)/suite.so $(FAKEHIP)/bundle internal/drivertest/testdata/kernels.c
	@if command -v clang-22 >/dev/null; then \
		scripts/step CLANG $(@D)/suite.hsaco clang-22 -target amdgcn-amd-amdhsa -mcpu=gfx906 -nostdlib -std=c11 -ffreestanding -nogpulib -O2 -o $(@D)/suite.hsaco internal/drivertest/testdata/kernels.c && \
		scripts/step PACK $@ $(FAKEHIP)/bundle $@ $< fakehip $(@D)/suite.hsaco; \
	else scripts/step PACK $@ $(FAKEHIP)/bundle $@ $<; fi

$(FAKEHIP)/wrong.bundle: $(FAKEHIP)/suite.so $(FAKEHIP)/bundle
	@scripts/step PACK $@ $(FAKEHIP)/bundle $@ $< another

include test/fakehip/cuda/build.mk
