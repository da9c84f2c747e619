// A program for another chip than the device's: the load reports it once, and a line at exit
// counts the calls that failed because of it; nothing crashes, and main goes on.
//
// RUN: env CHIP=gfx900 %lower gpu %s %t.mlir
// RUN: %link %t.mlir %t
// RUN: env MGPU_SOFT_CHIP=gfx906 %t 2>&1 | FileCheck %s
// CHECK: 'hipModuleLoadData' failed with 'hipErrorNoBinaryForGpu': the code object is for gfx900, the device is gfx906
// CHECK-NEXT: mgpu: calls that failed only because a load or a look-up before had failed: {{.*}}mgpuModuleGetFunction 1, mgpuLaunchKernel 1

func.func @main() -> i32 {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    gpu.terminator
  }
  %r = arith.constant 0 : i32
  return %r : i32
}
