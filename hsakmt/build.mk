# How AMD's libhsakmt.so.1 over the software GPU is built: included by the Makefile.
# libdtif.so, which ROCm 7 opens instead, is the same file.

ROCM_EXTLDFLAGS := -Wl,-soname,libhsakmt.so.1 -Wl,--version-script=$(CURDIR)/hsakmt/exports.map -Wl,-z,now -Wl,-z,nodelete -Wl,--build-id=sha1

$(BUILD)/rocm/libhsakmt.so.1: FORCE
	@mkdir -p $(@D)
	CGO_ENABLED=1 $(GO) build -buildmode=c-shared -trimpath -buildvcs=false \
	  -ldflags='-s -w -buildid= -B none -extldflags "$(ROCM_EXTLDFLAGS)"' -o $@.new ./hsakmt
	@rm -f $@.h $(@D)/libhsakmt.so.1.h $(@D)/libhsakmt.so.h
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
	@ln -sfn $(@F) $(@D)/libdtif.so
