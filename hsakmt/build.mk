# How AMD's libhsakmt.so.1 over the software GPU is built: included by the Makefile
# after build.mk, whose guest it is as well. ROCm 7 opens libdtif.so instead;
# libmgpu_sites.so goes before programs that are checked.

comma := ,
ROCM_EXTLDFLAGS := $(subst soname$(comma)$(SONAME),soname$(comma)libhsakmt.so.1,$(subst $(CURDIR)/exports.map,$(CURDIR)/hsakmt/exports.map,$(LIB_EXTLDFLAGS)))

$(BUILD)/rocm/libhsakmt.so.1: FORCE | $(GLIBC_LIBRARY)
	@mkdir -p $(@D)
	CGO_ENABLED=1 $(GO) build -buildmode=c-shared -trimpath -buildvcs=false -tags='$(LIB_TAGS)' \
	  -ldflags='-w -buildid= -B none $(LIB_LDFLAGS) -extldflags "$(ROCM_EXTLDFLAGS)"' -o $@.linked ./hsakmt
	$(call lib_finish,$@.linked,$@.new)
	@rm -f $@.h $(@D)/libhsakmt.so.1.h $(@D)/libhsakmt.so.h
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(BUILD)/rocm/libdtif.so: hsakmt/dtif/dtif.c hsakmt/drm.h $(BUILD)/rocm/libhsakmt.so.1
	$(CC) -std=gnu11 -Wall -Wextra -Werror -O2 -fPIC -shared -s -Wl,-soname,$(@F) -Wl,-rpath,'$$ORIGIN' -Wl,--no-as-needed -o $@ $< $(@D)/libhsakmt.so.1

$(BUILD)/rocm/libmgpu_sites.so: hsakmt/sites/sites.c | $(GLIBC_LIBRARY)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -Wall -Wextra -Werror -O2 -fPIC -shared -s -Wl,-soname,$(@F) -o $@ $< $(filter %/libdl.so.2,$(GLIBC_LIBRARY)) -ldl
