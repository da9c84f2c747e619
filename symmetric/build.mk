# libmgpu_symmetric.so: included by the Makefile.

SYMMETRIC := $(BUILD)/libmgpu_symmetric.so

.PHONY: symmetric
symmetric: $(SYMMETRIC)
$(SYMMETRIC): $(wildcard symmetric/*.c symmetric/*.h) include/mgpu_symmetric.h include/mgpu_runtime.h symmetric/build.mk | $(BUILD)/libmlir_rocm_runtime.so $(GLIBC_LIBRARY)
	@mkdir -p $(@D)
	@scripts/step CC $@ $(CC) -std=gnu11 -O2 -fPIC -fvisibility=hidden -pthread -Wall -Wextra -Werror -Wstrict-prototypes -Iinclude -shared -s \
	  -Wl,-soname,$(@F) -Wl,-rpath,'$$ORIGIN' -o $@ $(wildcard symmetric/*.c) -L$(BUILD) -lmlir_rocm_runtime $(GLIBC_LIBRARY) -ldl
