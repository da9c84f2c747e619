# The HIP library for tests: included by the Makefile, and complete by itself
# ('make -f test/fakehip/build.mk' from the repository's root).
#
#   BUILD     where to: $(BUILD)/test/fakehip/libamdhip64.so.6, and the modules of
#             the conformance suite beside it, *.bundle
#   SANITIZE  what to build it with: thread; address,undefined

BUILD    ?= build
TESTHIP  := $(BUILD)/test/fakehip
SANITIZE ?=

TESTHIP_CFLAGS := -std=gnu11 -O2 -g -fPIC -fvisibility=hidden -pthread -Wall -Wextra -Werror -Wstrict-prototypes \
	$(SANITIZE:%=-fsanitize=%)
TESTHIP_SOURCES := $(filter-out %/vendor.c,$(wildcard test/fakehip/lib/*.c))
TESTHIP_HEADERS := $(wildcard test/fakehip/*.h test/fakehip/lib/*.h)

.PHONY: testhip
testhip: $(TESTHIP)/libamdhip64.so.6 $(TESTHIP)/suite.bundle $(TESTHIP)/other.bundle $(TESTHIP)/wrong.bundle ## the HIP library for tests, build/test/fakehip

$(TESTHIP)/libamdhip64.so.6: $(TESTHIP_SOURCES) $(TESTHIP_HEADERS) test/fakehip/build.mk
	@mkdir -p $(@D)
	$(CC) $(TESTHIP_CFLAGS) -shared -Wl,-soname,$(@F) -o $@ $(TESTHIP_SOURCES) -ldl

# Compiles where the library's declarations agree with the vendor's header.
.PHONY: testhip-vendor
testhip-vendor:
	$(CC) $(TESTHIP_CFLAGS) -fsyntax-only test/fakehip/lib/vendor.c

$(TESTHIP)/bundle: test/fakehip/tool/bundle.c test/fakehip/bundle.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O1 -Wall -Wextra -Werror -o $@ $<

$(TESTHIP)/other.so: TESTHIP_DEFINES := -DOTHER=1
$(TESTHIP)/suite.so $(TESTHIP)/other.so: test/fakehip/kernels/suite.c test/fakehip/kernel.h
	@mkdir -p $(@D)
	$(CC) $(TESTHIP_CFLAGS) $(TESTHIP_DEFINES) -shared -o $@ $<

$(TESTHIP)/other.bundle: $(TESTHIP)/other.so $(TESTHIP)/bundle
	$(TESTHIP)/bundle $@ $<

# With the same kernels for a GPU, which are never executed: graphs need the sizes of
# parameters, and the HIP driver reads them there. Without clang-22 nothing is recorded.
$(TESTHIP)/suite.bundle: $(TESTHIP)/suite.so $(TESTHIP)/bundle internal/drivertest/testdata/kernels.c
	if command -v clang-22 >/dev/null; then \
		clang-22 -target amdgcn-amd-amdhsa -mcpu=gfx906 -nostdlib -std=c11 -ffreestanding -nogpulib -O2 -o $(@D)/suite.hsaco internal/drivertest/testdata/kernels.c && \
		$(TESTHIP)/bundle $@ $< testhip $(@D)/suite.hsaco; \
	else $(TESTHIP)/bundle $@ $<; fi

$(TESTHIP)/wrong.bundle: $(TESTHIP)/suite.so $(TESTHIP)/bundle
	$(TESTHIP)/bundle $@ $< another

include test/fakehip/cuda/build.mk
