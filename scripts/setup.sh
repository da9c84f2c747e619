#!/bin/bash
# setup.sh [-y]: installs what `make demo` and `make test` need and the machine lacks.
# Debian and its kin: with apt-get, as root or through sudo. It says what it installs and how
# much that is, and on a terminal asks first, except with -y, YES=1 or where CI is set.
# Elsewhere, or without the right to install: says what is missing, and stops.
# Where everything is installed it changes nothing and takes a few milliseconds.
#
# setup.sh --undo: removes the /opt/rocm that it made, and no other. Packages stay.
set -euo pipefail

# A tool or one of some files, and the package that brings it, or one of some: which
# there are depends on the release of Debian.
wanted='
mlir-opt-22          mlir-22-tools
mlir-translate-22    mlir-22-tools
mlir-runner-22       mlir-22-tools
llvm-mc-22           llvm-22
llvm-objdump-22      llvm-22
FileCheck-22         llvm-22-tools
lit-22               llvm-22-tools
clang-22             clang-22
ld.lld-22            lld-22
clang-offload-bundler-22 clang-tools-22
groff                groff-base
mlir-opt-19          mlir-19-tools
mlir-translate-19    mlir-19-tools
mlir-cpu-runner-19   mlir-19-tools
llvm-mc-19           llvm-19
ld.lld-19            lld-19
mlir-opt-16          mlir-16-tools
mlir-translate-16    mlir-16-tools
mlir-cpu-runner-16   mlir-16-tools
llvm-mc-16           llvm-16
ld.lld-16            lld-16
/usr/lib/llvm-22/lib/libmlir_runner_utils.so.22.1   libmlir-22
/usr/lib/*/amdgcn/bitcode/ockl.bc|/usr/lib/llvm-*/lib/clang/*/amdgcn/bitcode/ockl.bc  rocm-device-libs|rocm-device-libs-17
/usr/lib/*/libamdhip64.so.5                         libamdhip64-5
/usr/include/hip/hip_runtime_api.h                  libamdhip64-dev
rocminfo             rocminfo
mpirun.openmpi       openmpi-bin
mpirun.mpich         mpich
/usr/bin/python3     python3
/usr/lib/python3/dist-packages/numpy/__init__.py   python3-numpy
/usr/lib/python3/dist-packages/pytest/__init__.py  python3-pytest
mypy                 mypy
/usr/lib/python3/dist-packages/pip/__init__.py     python3-pip
/usr/lib/python3/dist-packages/wheel/__init__.py   python3-wheel
/usr/lib/python3/dist-packages/setuptools/__init__.py  python3-setuptools
gcc                  gcc
c++                  g++
cmake                cmake
pkg-config           pkg-config
valgrind             valgrind
spin                 spin
shellcheck           shellcheck
clang-format-22      clang-format-22
'

say() { echo "setup: $*"; }
stop() { echo "setup: $*" >&2; exit 1; }

# Reports whether one of the patterns between bars finds a file.
any_file() {
	local patterns pattern
	IFS='|' read -ra patterns <<<"$1"
	for pattern in "${patterns[@]}"; do
		if compgen -G "$pattern" >/dev/null; then return; fi
	done
	return 1
}

# Prints the packages that are missing, each once.
missing() {
	local thing package
	while read -r thing package; do
		[ -n "$thing" ] || continue
		case $thing in
		/*) any_file "$thing" || echo "$package" ;;
		*)  command -v "$thing" >/dev/null || echo "$package" ;;
		esac
	done <<<"$wanted" | sort -u
}

as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

cd "$(dirname "$0")/.."

if [ "${1:-}" = --undo ]; then
	[ ! -e /opt/rocm ] || as_root scripts/toolkit --remove /opt/rocm
	exit
fi
[ "${1:-}" != -y ] || YES=1
go=$(command -v go) || stop "no Go: install 1.24 or newer from https://go.dev/dl and put it on PATH"
need=$(sed -n 's/^go //p' go.mod)
"$go" list -m >/dev/null || stop "$go, $("$go" env GOVERSION), can't serve go.mod: it asks for Go $need or newer"

# Chooses of what is missing: list is to be installed, none is in no list of packages.
choose() {
	local entry package
	list='' none=''
	for entry in $(missing); do
		for package in ${entry//|/ }; do
			if apt-cache show "$package" >/dev/null 2>&1; then
				list+="$package "
				continue 2
			fi
		done
		none+="$entry "
	done
}
# Where a package is missing from the lists they are brought up to date, once a day.
updated=${BUILD:-build}/lists-of-packages-updated
update() {
	say "apt-get update"
	as_root apt-get update -q
	mkdir -p "$(dirname "$updated")"
	touch "$updated"
}

if [ -n "$(missing)" ]; then
	say "missing: $(missing | xargs)"
	command -v apt-get >/dev/null || stop "no apt-get here: install these (or what provides the same tools) and try again"
	choose
	if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
		[ -z "$list" ] || stop "neither root nor sudo without a password: run 'apt-get install --no-install-recommends $list' and try again"
	elif [ -n "$none" ] && [ -z "$(find "$updated" -mtime -1 2>/dev/null)" ]; then
		update
		choose
	fi
	[ -z "$none" ] || say "not packaged here, and tests that need them are skipped: $none"
	# Says how much an installation loads and takes, as apt-get computes it, and asks on a terminal.
	agree() {
		local answer
		say "apt-get install --no-install-recommends $list"
		{ as_root env LC_ALL=C apt-get install --assume-no --no-install-recommends $list 2>/dev/null || true; } | # --assume-no ends with an error
			sed -n 's/^Need to get \(.*\) of archives\./setup: \1 to download/p; s/^After this operation, \(.*\) of additional disk space will be used\./setup: \1 of disk space/p'
		if [ -n "${YES:-}${CI:-}" ] || ! [ -t 0 ] || ! [ -t 1 ]; then return; fi
		read -r -p "setup: install these? [Y/n] " answer
		case $answer in
		'' | [Yy]*) ;;
		*) stop "nothing was installed" ;;
		esac
	}
	install() { as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $list; }
	if [ -n "$list" ]; then
		agree
		if ! install; then
			say "once more with fresh lists"
			update
			choose
			install || stop "apt-get could not install them"
		fi
		choose
		[ -z "$list" ] || stop "still missing after the installation: $list"
		say "installed"
	fi
	for tool in mlir-opt-22 clang-22 ld.lld-22 gcc python3; do
		command -v $tool >/dev/null || stop "nothing works without $tool: Debian 12 with its security updates and Debian 13 have it"
	done
fi

# MLIR 16 looks for its linker and device libraries under /opt/rocm, compiled in.
# Only a machine without any ROCm gets them there; nothing of a ROCm is touched.
if [ ! -e /opt/rocm ] && command -v ld.lld-16 >/dev/null; then
	if [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; then
		say "no /opt/rocm: links in it to Debian's ld.lld-16 and device libraries, for MLIR 16"
		as_root scripts/toolkit 16 /opt/rocm
	else
		say "no /opt/rocm and no right to make one: MLIR 16's tests take the lowered IR of test/mlir/lowered"
	fi
fi
