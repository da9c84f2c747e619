# How AMD's libhsakmt.so.1 over the software GPU is built: included by the Makefile
# after build.mk, whose guest it is as well. ROCm 7 opens libdtif.so instead;
# libmgpu_sites.so goes before programs that are checked.

comma := ,
ROCM_EXTLDFLAGS := $(subst soname$(comma)$(SONAME),soname$(comma)libhsakmt.so.1,$(subst $(CURDIR)/exports.map,$(CURDIR)/softgpu/rocm/thunk/exports.map,$(LIB_EXTLDFLAGS)))

$(BUILD)/rocm.inputs: FORCE
	$(call lib_inputs,./softgpu/rocm/thunk,$(ROCM_EXTLDFLAGS),softgpu/rocm/thunk/exports.map softgpu/rocm/thunk/build.mk)

$(BUILD)/rocm/libhsakmt.so.1: $(BUILD)/rocm.inputs | $(GLIBC_LIBRARY)
	@mkdir -p $(@D)
	$(call lib_build,./softgpu/rocm/thunk,$(ROCM_EXTLDFLAGS))

$(BUILD)/rocm/libdtif.so: softgpu/rocm/thunk/dtif/dtif.c softgpu/rocm/thunk/drm.h $(BUILD)/rocm/libhsakmt.so.1
	@scripts/step CC $@ $(CC) -std=gnu11 -Wall -Wextra -Werror -O2 -fPIC -shared -s -Wl,-soname,$(@F) -Wl,-rpath,'$$ORIGIN' -Wl,--no-as-needed -o $@ $< $(@D)/libhsakmt.so.1

$(BUILD)/rocm/libmgpu_sites.so: softgpu/rocm/thunk/sites/sites.c | $(GLIBC_LIBRARY)
	@mkdir -p $(@D)
	@scripts/step CC $@ $(CC) -std=gnu11 -Wall -Wextra -Werror -O2 -fPIC -shared -s -Wl,-soname,$(@F) -o $@ $< $(filter %/libdl.so.2,$(GLIBC_LIBRARY)) -ldl
