# The way in for everything: 'make help' lists what there is. Each target does its
# own set-up first; setup changes nothing on a machine that has what it needs.

VERSION := $(shell sed -n 's/^.define MGPU_VERSION "\(.*\)"$$/\1/p' include/mgpu_runtime.h)
BUILD   ?= build
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
BINDIR  ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
# Other names to install the library under: those that programs ask for which are linked
# against stock's, of these releases of LLVM.
LLVM    := 16 17 18.1 19.1 20.1 21.1 22.0git 22.1 23.0git 23.1 24.0git 24.0
LINKS   ?= $(foreach v,$(LLVM),libmlir_rocm_runtime.so.$v libmlir_cuda_runtime.so.$v)
GO      ?= go
LIT     ?= lit-22

override BUILD := $(abspath $(BUILD))
LIBRARY := $(BUILD)/libmlir_rocm_runtime.so
RELEASES := 22 19 16
LIT_SUITE := lit
export BUILD
export MGPU_LIB := $(LIBRARY)
# A clone of another user builds, too: git refuses to say its revision. Once,
# also in make within make: what is built depends on the text.
export GOFLAGS := $(strip $(filter-out -buildvcs=false,$(GOFLAGS)) -buildvcs=false)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:

.PHONY: all
all: $(LIBRARY) $(BUILD)/mgpu symmetric ## the library (SONAME=... names it) and the command, in build/

# The rules for $(LIBRARY), from $(SONAME) and the sources.
include build.mk
include symmetric/build.mk
include softgpu/rocm/kfd/build.mk
include test/fakehip/build.mk

##@ Try

.PHONY: demo
demo: setup $(LIBRARY) ## 1000 launches, cache off and on; asks before it installs (YES=1: does not)
	@scripts/demo

.PHONY: bench
bench: setup $(LIBRARY) ## measures ratios and speeds on this machine
	@bench/run

.PHONY: bench-gpu
bench-gpu: setup $(LIBRARY) ## measures on a GPU, beside stock and calls by hand
	@bench/gpu

.PHONY: pictures
pictures: ## draws bench/pictures from the tables of bench/RESULTS.md
	@cd bench/plot && $(GO) test . && $(GO) run . ../RESULTS.md ../pictures

ROCM := $(addprefix $(BUILD)/rocm/,libmgpu_sites.so libmgpu_kfd.so libmgpu_rocm.so)
.PHONY: rocm
rocm: $(ROCM) ## build/rocm, for mgpu run --rocm: AMD's own HIP on the software GPU

##@ Test

.PHONY: test
test: ## check to test-package below, even if one fails, and then the counts
	@scripts/test

# What scripts/test goes through, each also by itself.

.PHONY: check
check: setup ## formats, vet, staticcheck, shell scripts, generated files
	@scripts/check | scripts/results tap check

# Packages by how they are tested. Under -race: what shares state, and of the software
# GPU's tests a part. Without cgo and -race, and so in a third of the time: all of the
# software GPU's tests, tests whose subjects are processes of their own, and what reads
# and computes only.
once = $(eval $1 := $(shell $2))$($1)
PACKAGES = $(call once,PACKAGES,$(GO) list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./...)
within = $(foreach p,$(PACKAGES),$(if $(findstring $1,$p),$p))
SOFT = $(filter-out %/softgpu/rocm/hsa,$(call within,/mgpu/softgpu))
PLAIN = $(call within,/test/library/) $(call within,/test/programs/) $(filter %/cmd/mgpu %/include %/codeobj %/cstructs \
	%/input %/ranks %/model %/policy %/report %/settings %/suites %/toolchain,$(PACKAGES))
# What under -race can find something: kernels beside each other, with others' threads.
RACES := Conformance|Synchronize|Parallel|WaitForEachOther|WorkItemPrints|Ended|Mistake|SourceSays|AllocateMemory|Barriers|Launches
MEETING := %/softgpu %/emu
# The packages that take longest begin first, so that no processor is left with nothing at
# the end, and one package more runs than there are processors: many wait for processes.
SLOWEST := %/test/rocm %/test/fakehip %/abi %/softgpu %/docs %/guest %/python %/kernels
slowest_first = $(filter $(SLOWEST),$1) $(filter-out $(SLOWEST),$1)
# With the checks of internal/invariants in the library's Go. What is built to be used has none.
GOTEST = $(GO) test -p $(shell echo $$(($$(nproc) + 1))) -tags=invariants -vet=off -ldflags=-w -timeout 2h -json

# What a change's own tests need, and no more: the library for those below test/. Without RUN, random tests try fewer
# cases (-short); FULL=1 has them try as many as make test. Tests allocate much and keep little, hence GOGC.
try_path   = $(patsubst ./%,%,$(PKG))
try_all    = $(if $(PKG),$(call once,try_all,$(GO) list ./$(try_path) 2>/dev/null))
try_plain  = $(filter $(SOFT) $(PLAIN),$(try_all))
try_others = $(filter-out $(SOFT) $(PLAIN),$(try_all))
try_needs  = $(if $(filter test/%,$(try_path)),all $(BUILD)/stock/libmlir_rocm_runtime.so) $(if $(filter test/rocm%,$(try_path)),rocm) \
	$(if $(filter test/fakehip% test/programs/mixed%,$(try_path)),fakehip)
TRYTEST    = GOGC=400 $(GO) test -vet=off -ldflags=-w $(if $(RUN)$(FULL),,-short) $(RUN:%=-run '%')

.PHONY: try
try: $(try_needs) ## one package's tests: PKG=./streampool, RUN=Name: one test, FULL=1: all cases
	@[ -n '$(try_all)' ] || { echo 'make try: $(if $(PKG),no package $(PKG),name a package): for example make try PKG=./streampool RUN=Name' >&2; exit 2; }
	@$(if $(try_plain),CGO_ENABLED=0 $(TRYTEST) $(try_plain) &&) $(if $(try_others),$(TRYTEST) -race $(try_others) &&) true

.PHONY: test-unit
test-unit: setup all rocm fakehip $(BUILD)/stock/libmlir_rocm_runtime.so ## go test -race of packages that share state between threads
	@{ $(GOTEST) -race -short -run '$(RACES)' $(filter $(MEETING),$(SOFT)) >$(BUILD)/soft.json 2>&1 & \
	  $(GOTEST) -race $(call slowest_first,$(filter-out $(SOFT) $(PLAIN),$(PACKAGES))); wait; cat $(BUILD)/soft.json; } | scripts/results go unit

.PHONY: test-nocgo
test-nocgo: setup all rocm fakehip ## go test without cgo: the software GPU, programs of C, MLIR and Python
	@CGO_ENABLED=0 $(GOTEST) $(call slowest_first,$(SOFT) $(PLAIN)) | scripts/results go nocgo

.PHONY: lit
lit: setup $(LIBRARY) $(BUILD)/stock/libmlir_rocm_runtime.so lit-sites ## programs lowered by MLIR 22, 19 and 16
	@rm -f $(BUILD)/lit/results.json
	-$(LIT) -s --no-progress-bar -o $(BUILD)/lit/results.json $(LITFLAGS) $(RELEASES:%=$(BUILD)/lit/%)
	@scripts/results lit $(LIT_SUITE) $(BUILD)/lit/results.json

# 23 is of Debian's sid, 24 a snapshot of its experimental.
NEXT := 23 24
# Those that name no chip themselves. CHIP=gfx1100 WAVE=64 make lit runs them for one chip.
.PHONY: lit-chips
lit-chips: ## the same for chips and generic targets of RDNA, in waves of 32 and 64
	@status=0; for c in gfx1030 gfx1100 gfx1151 gfx1201; do for w in 32 64; do \
		CHIP=$$c WAVE=$$w $(MAKE) --no-print-directory lit RELEASES='22 19' LIT_SUITE=lit-$$c-wave$$w || status=1; \
	done; done; \
	for c in gfx10-3-generic/gfx1034 gfx11-generic/gfx1103 gfx12-generic/gfx1200; do for w in 32 64; do \
		CHIP=$${c%/*} MGPU_SOFT_CHIP=$${c#*/} WAVE=$$w $(MAKE) --no-print-directory lit RELEASES=22 LIT_SUITE=lit-$${c%/*}-wave$$w || status=1; \
	done; done; exit $$status

.PHONY: lit-next
lit-next: setup $(LIBRARY) $(BUILD)/stock/libmlir_rocm_runtime.so ## the same, and random programs, by MLIR 23 and 24, unpacked into build/
	@for r in $(NEXT); do scripts/mlir-suite $$r $(BUILD)/mlir-$$r || exit 1; done
	@status=0; export PATH=$(subst $() ,:,$(NEXT:%=$(BUILD)/mlir-%/bin)):$$PATH; \
	$(MAKE) --no-print-directory lit RELEASES='$(NEXT)' LIT_SUITE=lit-next || status=1; \
	for r in $(NEXT); do \
		MGPU_TEST_MLIR=$$r $(GO) test -count=1 -timeout 1h -json ./test/programs/linalg ./test/programs/random | scripts/results go mlir-$$r || status=1; \
	done; \
	rm -rf $(BUILD)/toolkit-rocm-7; scripts/toolkit 22 $(BUILD)/toolkit-rocm-7 $(BUILD)/mlir-23/bitcode || exit 1; \
	TOOLKIT=$(BUILD)/toolkit-rocm-7 $(GO) test -count=1 -timeout 1h -json ./test/programs/linalg ./test/programs/kernels | scripts/results go rocm-7-libraries || status=1; \
	exit $$status

.PHONY: test-package
test-package: setup $(LIBRARY) ## uses what install and CMake leave, as another project would
	@test/library/package/run | scripts/results tap package

.PHONY: test-dist
test-dist: dist ## installs and uses each package of make dist in an empty system
	MGPU_TEST_LONG=1 $(GO) test -count=1 -timeout 1h -json ./test/library/dist | scripts/results go dist

.PHONY: test-rocm
test-rocm: setup all rocm $(BUILD)/stock/libmlir_rocm_runtime.so ## test/rocm also on AMD's HIP 5.7.1, 6.4.3 and 7.2.4, unpacked into build/
	scripts/rocm-suite trixie $(BUILD)/rocm-trixie
	scripts/rocm-suite sid $(BUILD)/rocm-sid
	scripts/rocm-suite experimental $(BUILD)/rocm-experimental
	scripts/front-ends $(BUILD)/front-ends
	MGPU_TEST_LONG=1 $(GO) test -count=1 -timeout 2h -json ./test/rocm | scripts/results go rocm

# NAMES='rocrand1 rocprim' chooses; scripts/test-suites says what else can be set.
.PHONY: test-suites
test-suites: all rocm ## AMD's tests of its libraries on the software GPU: hours and gigabytes
	scripts/test-suites $(NAMES)

# Packages whose tests have larger counts for it read MGPU_TEST_LONG.
# The packages that take longest are the last by name, and go first. test/rocm's long form is test-rocm.
.PHONY: test-long
test-long: dist $(BUILD)/stock/libmlir_rocm_runtime.so ## random comparisons with all of their counts
	MGPU_TEST_LONG=1 $(GO) test -count=1 -timeout 3h -json $$(grep -rlE --include='*_test.go' 'MGPU_TEST_LONG|chost\.(Long|Chosen)' . | xargs -n1 dirname | grep -vx ./test/rocm | sort -ur) | scripts/results go long
	@MGPU_TEST_LONG=1 $(MAKE) --no-print-directory check lit lit-chips test-package
	@$(MAKE) --no-print-directory test-processors

# SECONDS is for each of the three.
SECONDS ?= 60
THREADS ?= 64
.PHONY: soak
soak: setup $(LIBRARY) fakehip ## three busy programs, with injected failures: SECONDS=60 each, THREADS=64
	@test/library/soak/run $(SECONDS) $(THREADS)

# What GODEBUG takes away: Go's own code goes without it, and so do the kernels in assembly.
PROCESSORS := cpu.avx2=off cpu.fma=off cpu.all=off
.PHONY: test-processors
test-processors: setup ## the software GPU on processors without AVX2, FMA, or anything optional
	@status=0; for p in $(PROCESSORS); do \
		GODEBUG=$$p $(GO) test -count=1 -timeout 3h -json ./softgpu ./softgpu/internal/... | scripts/results go processors-$${p%=off} || status=1; \
	done; exit $$status

.PHONY: golden
golden: setup ## updates checked-in expectations: read the diff
	@scripts/golden

##@ Parts

.PHONY: setup
setup: ## installs what tests and demo need, if it is missing
	@scripts/setup.sh

# The go command knows whether it is up to date. netgo: the resolver in C has another
# version in each glibc.
$(BUILD)/mgpu: FORCE | $(GLIBC_PROGRAM)
	@mkdir -p $(@D)
	@scripts/step GO $@ env CGO_ENABLED=1 $(GO) build -trimpath -tags=netgo -ldflags='-s -w -buildid= -extldflags "$(GLIBC_PROGRAM)"' -o $@ ./cmd/mgpu

$(BUILD)/stock/libmlir_rocm_runtime.so: test/mlir/stock/stock.c include/mgpu_runtime.h
	@mkdir -p $(@D)
	@scripts/step CC $@ $(CC) -std=c11 -Wall -Wextra -Werror -O1 -fPIC -shared -Iinclude -Wl,-soname,$(@F).stock -o $@ $<
	@ln -sfn $(@F) $@.stock

.PHONY: lit-sites
lit-sites:
	@for r in $(RELEASES); do \
		mkdir -p $(BUILD)/lit/$$r; \
		printf '%s\n' "config.release = '$$r'" "config.repo = '$(CURDIR)'" "config.build = '$(BUILD)'" \
			"lit_config.load_config(config, config.repo + '/test/mlir/lit.cfg.py')" >$(BUILD)/lit/$$r/lit.site.cfg.py; \
	done

# Stand-ins, see test/mlir/each-way.
EMPTY := $(addprefix $(BUILD)/lit/empty/,libLLVM.so.22.1 libmlir_apfloat_wrappers.so.22.1)
lit-sites: $(EMPTY)
$(EMPTY):
	@mkdir -p $(@D)
	@scripts/step CC $@ $(CC) -shared -nostdlib -x c /dev/null -Wl,-soname,$(@F) -o $@

.PHONY: install
install: $(LIBRARY) $(BUILD)/mgpu symmetric ## installs library, header and command in PREFIX (LINKS=... for other names)
	install -d $(addprefix $(DESTDIR),$(LIBDIR)/cmake/mgpu $(LIBDIR)/pkgconfig $(INCLUDEDIR) $(BINDIR) $(DATADIR)/man/man1 $(DATADIR)/mgpu \
	  $(DATADIR)/bash-completion/completions $(DATADIR)/zsh/site-functions $(DATADIR)/fish/vendor_completions.d)
	install -m 755 $(BUILD)/mgpu $(DESTDIR)$(BINDIR)/mgpu
	$(BUILD)/mgpu man $(DESTDIR)$(DATADIR)/man/man1
	$(BUILD)/mgpu completion bash >$(DESTDIR)$(DATADIR)/bash-completion/completions/mgpu
	$(BUILD)/mgpu completion zsh >$(DESTDIR)$(DATADIR)/zsh/site-functions/_mgpu
	$(BUILD)/mgpu completion fish >$(DESTDIR)$(DATADIR)/fish/vendor_completions.d/mgpu.fish
	install -m 755 $(LIBRARY) $(DESTDIR)$(LIBDIR)/libmlir_rocm_runtime.so
	install -m 755 $(SYMMETRIC) $(DESTDIR)$(LIBDIR)/libmgpu_symmetric.so
	install -m 644 include/mgpu_symmetric.h $(DESTDIR)$(INCLUDEDIR)/mgpu_symmetric.h
	@for l in $(sort $(filter-out libmlir_rocm_runtime.so,libmlir_cuda_runtime.so $(SONAME) $(LINKS))); do \
		echo ln -sfn libmlir_rocm_runtime.so $(DESTDIR)$(LIBDIR)/$$l; \
		ln -sfn libmlir_rocm_runtime.so $(DESTDIR)$(LIBDIR)/$$l || exit 1; \
	done
	install -m 644 package/lit.cfg.py $(DESTDIR)$(DATADIR)/mgpu/lit.cfg.py
	install -m 644 include/mgpu_runtime.h $(DESTDIR)$(INCLUDEDIR)/mgpu_runtime.h
	install -m 644 cmake/mgpuConfig.cmake $(DESTDIR)$(LIBDIR)/cmake/mgpu/mgpuConfig.cmake
	sed 's,@VERSION@,$(VERSION),' cmake/mgpuConfigVersion.cmake.in >$(DESTDIR)$(LIBDIR)/cmake/mgpu/mgpuConfigVersion.cmake
	sed 's,@VERSION@,$(VERSION),;s,@PREFIX@,$(PREFIX),;s,@LIBDIR@,$(LIBDIR),;s,@INCLUDEDIR@,$(INCLUDEDIR),' cmake/mgpu.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/mgpu.pc

.PHONY: install-rocm
install-rocm: $(ROCM) ## installs what make rocm builds in PREFIX
	install -d $(DESTDIR)$(LIBDIR)/mgpu/rocm
	install -m 644 $(ROCM) $(DESTDIR)$(LIBDIR)/mgpu/rocm

.PHONY: dist
dist: setup $(LIBRARY) $(BUILD)/mgpu rocm ## build/dist: Debian packages, a tar file, the wheel, and their sums
	@scripts/dist

.PHONY: wheel
wheel: setup $(LIBRARY) $(BUILD)/mgpu ## build/dist/mgpu_runtime-*.whl, for pip install --no-index
	@scripts/wheel

.PHONY: clean
clean: ## removes build/
	rm -rf $(BUILD)

.PHONY: clean-machine
clean-machine: ## removes the /opt/rocm that setup made (packages stay)
	@scripts/setup.sh --undo

.PHONY: help
help: ## prints this list
	@awk -F ':.*## ' '/^##@ /{print "\n" substr($$0, 5)} /^[a-z-]+:.*## /{printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
