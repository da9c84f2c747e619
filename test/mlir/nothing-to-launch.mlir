// repeated-launch.mlir with zero rounds: no driver call is made. LLVM 22 loads the
// module in a constructor; that load is made when a function is asked for.
//
// RUN: %lower gpu %s %t.mlir
// RUN: %link %t.mlir %t
// RUN: env MGPU_STATS=1 %t 2>&1 | FileCheck %s --allow-empty --implicit-check-not=mgpuStreamCreate --implicit-check-not=mgpuModuleGetFunction --implicit-check-not=mgpuLaunchKernel --implicit-check-not=mgpuModuleLoad
// CHECK-NOT: failed with

func.func @launch_times(%n: index) attributes {noinline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      gpu.terminator
    }
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  func.call @launch_times(%c0) : (index) -> ()
  %r = arith.constant 0 : i32
  return %r : i32
}
