// MGPU_HOSTCALLS tells of a kernel that prints, once, and not of one that does not,
// whatever the compiler left in it; with error it is not launched.
//
// RUN: %lower printf %s %t.mlir
// RUN: %link %t.mlir %t
// RUN: env MGPU_HOSTCALLS=warn %t 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: env MGPU_HOSTCALLS=error %t 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: env MGPU_HOSTCALLS=off %t 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: env MGPU_HOSTCALLS=maybe %t 2>&1 | FileCheck %s --check-prefix=WRONG
// REQUIRES: from-mlir-19

// WARN-COUNT-1: mgpu: kernel prints_kernel calls the host (printf, assert or malloc)
// WARN-NOT: mgpu:
// WARN-COUNT-2: printed 7
// ERROR-COUNT-1: 'mgpuLaunchKernel(prints_kernel)' failed with 'hipErrorNotSupported': kernel prints_kernel calls the host
// ERROR-NOT: {{failed|printed}}
// OFF-NOT: calls the host
// OFF-COUNT-2: printed 7
// WRONG: mgpu: MGPU_HOSTCALLS=maybe is ignored, the default holds: it is off, warn or error
// WRONG-COUNT-2: printed 7

func.func @prints() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %n = arith.constant 7 : i64
    "gpu.printf"(%n) <{format = "printed %lld\n"}> : (i64) -> ()
    gpu.terminator
  }
  return
}

func.func @silent(%m: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %one = arith.constant 1.0 : f32
    memref.store %one, %m[%c0] : memref<1xf32>
    gpu.terminator
  }
  return
}

func.func @main() -> i32 {
  %m = memref.alloc() : memref<1xf32>
  func.call @silent(%m) : (memref<1xf32>) -> ()
  func.call @prints() : () -> ()
  func.call @prints() : () -> ()
  %ok = arith.constant 0 : i32
  return %ok : i32
}
