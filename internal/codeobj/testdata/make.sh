#!/bin/sh
# Makes the code objects in this directory from their sources, with clang 22
# and the llc and lld of LLVM 16, 19 and 22. Their bytes are checked in, so tests need neither.
set -eu
cd "$(dirname "$0")"
co() { # out source chip version [flags]
  out=$1 src=$2 chip=$3 version=$4
  shift 4
  clang-22 -target amdgcn-amd-amdhsa -mcpu="$chip" -mcode-object-version="$version" -nogpulib -O2 -w "$@" "$src" -o "$out.hsaco"
  chmod 644 "$out.hsaco"
}
co v4 kernels.cl gfx906 4
co v5 kernels.cl gfx906 5
co v6 kernels.cl gfx906 6
co gfx90a kernels.cl gfx90a:xnack-:sramecc+ 5
co gfx942 kernels.cl gfx942 6
co gfx1100 kernels.cl gfx1100 5
co generic kernels.cl gfx9-generic 6 -Wl,-s
for f in globals constants private managed cuid init named; do co $f $f.ll gfx906 5; done
co norelro constants.ll gfx906 5 -Wl,-z,norelro
for v in 16 19; do # MLIR links with the lld of its release
  llc-$v -mcpu=gfx906 -filetype=obj constants.ll -o llvm$v.o
  ld.lld-$v -shared llvm$v.o -o llvm$v.hsaco
  chmod 644 llvm$v.hsaco
  rm llvm$v.o
done
for n in 1 2; do
  clang-22 -target amdgcn-amd-amdhsa -mcpu=gfx906 -mcode-object-version=5 -nogpulib -O2 -w -DPART=part$n -DVALUE=$n -c linked.cl -o linked$n.o
done
ld.lld-22 -shared linked1.o linked2.o -o linked.hsaco
chmod 644 linked.hsaco
rm linked1.o linked2.o
co hostcall hostcall.cl gfx906 5 -O0
llc-22 -mcpu=sm_80 ptx.ll -o globals.ptx
# variables.cubin is what NVIDIA's driver 580 links of variables.ptx (cuLinkAddData, cuLinkComplete) for an H200.
