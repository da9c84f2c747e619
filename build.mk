# How the library is built: included by the Makefile. V=1 prints the commands.
#
#   SONAME  the name that programs linked against the library ask for
#   GUEST   late (default on x86-64 Linux): the Go runtime starts at the first
#           call and stays unnoticed, see internal/guest; plain: as any Go library

BUILD  ?= build
GO     ?= go
SONAME ?= libmlir_rocm_runtime.so
GUEST  ?= $(if $(filter x86_64-Linux,$(shell uname -m)-$(shell uname -s)),late,plain)

include internal/glibc/build.mk

# now        no lazy binding: the loader's lock is never taken in a call
# nodelete   a Go runtime can't be unloaded
# wrap       Go is entered by way of internal/guest's cancel.c, its threads are created by its threads.c
# build-id   of the contents: Go's own is of this folder's path too, so that no two
#            people would build the same file
LIB_EXTLDFLAGS := -Wl,-soname,$(SONAME) -Wl,--version-script=$(CURDIR)/exports.map -Wl,-z,now -Wl,-z,nodelete -Wl,--build-id=sha1 \
                  -Wl,--wrap=crosscall2 $(GLIBC_LIBRARY)
ifeq ($(GUEST),plain)
LIB_TAGS       := mgpu_plain
LIB_LDFLAGS    := -s
else
LIB_TAGS       :=
LIB_LDFLAGS    := -s -E=mgpu_late_entry
LIB_EXTLDFLAGS += -Wl,--wrap=pthread_create
endif

# Everything that the library is made of: the sums of all files, and whatever else
# decides. The go command lists a header that lies in another folder than the C file
# which includes it only where a Go file of its own folder, or above, embeds it.
lib_kinds := Go Cgo C CXX H S Syso Embed
lib_files := {{with .Module}}{{if .Main}}$(foreach k,$(lib_kinds),{{range $$.$(k)Files}}{{$$.Dir}}/{{.}}{{"\n"}}{{end}}){{end}}{{end}}
lib_env   := GOVERSION GOOS GOARCH GOAMD64 GOEXPERIMENT GOFLAGS CC CGO_CPPFLAGS CGO_CFLAGS CGO_LDFLAGS

# $(call lib_inputs,PACKAGE,EXTLDFLAGS,FILES): written every time, and replaced only where
# it differs.
define lib_inputs
	@mkdir -p $(@D)
	@CGO_ENABLED=1 $(GO) list -deps -tags='$(LIB_TAGS)' -f '$(lib_files)' $1 >$@.files
	@{ echo '$(LIB_TAGS) $(LIB_LDFLAGS) $2'; $(GO) env $(lib_env); $$($(GO) env CC) --version; \
	  sort -u $@.files | xargs sha256sum build.mk $3 $(GLIBC_SOURCES) go.mod go.sum; } >$@.new
	@rm $@.files; if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
endef

# $(call lib_build,PACKAGE,EXTLDFLAGS): the file is only replaced when its contents have
# changed, and else touched.
define lib_build
	@scripts/step GO $@ env CGO_ENABLED=1 $(GO) build -buildmode=c-shared -trimpath -buildvcs=false -tags='$(LIB_TAGS)' \
	  -ldflags='-w -buildid= -B none $(LIB_LDFLAGS) -extldflags "$2"' -o $@.new $1
	@rm -f $@.h
	@if cmp -s $@.new $@; then rm $@.new; touch $@; else mv $@.new $@; fi
endef

$(BUILD)/library.inputs: FORCE
	$(call lib_inputs,.,$(LIB_EXTLDFLAGS),exports.map)

.PHONY: library
library: $(BUILD)/libmlir_rocm_runtime.so
$(BUILD)/libmlir_rocm_runtime.so: $(BUILD)/library.inputs | $(GLIBC_LIBRARY)
	$(call lib_build,.,$(LIB_EXTLDFLAGS))
	@ln -sfn $(@F) $(@D)/libmlir_cuda_runtime.so
# The same by the path that people type, where BUILD is absolute.
ifneq ($(filter $(CURDIR)/%,$(BUILD)),)
.PHONY: $(BUILD:$(CURDIR)/%=%)/libmlir_rocm_runtime.so
$(BUILD:$(CURDIR)/%=%)/libmlir_rocm_runtime.so: $(BUILD)/libmlir_rocm_runtime.so
endif

.PHONY: FORCE
FORCE:
