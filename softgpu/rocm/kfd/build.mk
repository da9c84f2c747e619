# How the stand-in for AMD's kernel driver is built: included by the Makefile after build.mk, whose guest
# libmgpu_rocm.so is as well. libmgpu_kfd.so, in C alone, is what goes into programs; it opens the other.
# libmgpu_sites.so goes into those that are checked.

comma := ,
KFD := softgpu/rocm/kfd
KFD_EXTLDFLAGS := $(subst soname$(comma)$(SONAME),soname$(comma)libmgpu_rocm.so,$(subst $(CURDIR)/exports.map,$(CURDIR)/$(KFD)/library/exports.map,$(LIB_EXTLDFLAGS))) -Wl,--wrap=mmap -Wl,--wrap=munmap

$(BUILD)/kfd.inputs: FORCE
	$(call lib_inputs,./$(KFD)/library,$(KFD_EXTLDFLAGS),$(KFD)/library/exports.map $(KFD)/build.mk)

$(BUILD)/rocm/libmgpu_rocm.so: $(BUILD)/kfd.inputs | $(GLIBC_LIBRARY)
	@mkdir -p $(@D)
	$(call lib_build,./$(KFD)/library,$(KFD_EXTLDFLAGS))

$(BUILD)/rocm/libmgpu_kfd.so: $(wildcard $(KFD)/preload/*.[ch]) $(KFD)/library/calls.h | $(GLIBC_LIBRARY)
	@mkdir -p $(@D)
	@scripts/step CC $@ $(CC) -std=gnu11 -Wall -Wextra -Werror -O2 -fPIC -fvisibility=hidden -U_FORTIFY_SOURCE -shared -s -Wl,-soname,$(@F) -Wl,-z,now -o $@ \
	  $(filter %.c,$^) $(filter %/libdl.so.2,$(GLIBC_LIBRARY)) -ldl

$(BUILD)/rocm/libmgpu_sites.so: $(KFD)/sites/sites.c $(KFD)/library/calls.h | $(GLIBC_LIBRARY)
	@mkdir -p $(@D)
	@scripts/step CC $@ $(CC) -std=gnu11 -Wall -Wextra -Werror -O2 -fPIC -shared -s -Wl,-soname,$(@F) -o $@ $< $(filter %/libdl.so.2,$(GLIBC_LIBRARY)) -ldl
