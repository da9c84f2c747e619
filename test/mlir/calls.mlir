// The calls that each release's lowering makes, printed by a wrapper. When this
// library is preloaded, it replaces the wrapper.
//
// RUN: %lower gpu %s %t.mlir
// RUN: env RUNTIME=%stock %link %t.mlir %t
// RUN: %t 2>&1 | FileCheck %s --check-prefix=CALLS-%release
// RUN: env LD_PRELOAD=%mlir_rocm_runtime %t 2>&1 | FileCheck %s --check-prefix=PRELOADED --allow-empty
// PRELOADED-NOT: stock:
//
// The module in a constructor, the stream at every launch:
// CALLS-22: mgpuModuleLoad
// CALLS-22-NEXT: mgpuModuleGetFunction main_kernel
// CALLS-22-NEXT: mgpuStreamCreate
// CALLS-22-NEXT: mgpuLaunchKernel 3,1,1 5,1,1
// CALLS-22-NEXT: mgpuStreamSynchronize
// CALLS-22-NEXT: mgpuStreamDestroy
// CALLS-22-NEXT: mgpuModuleGetFunction main_kernel
// CALLS-22-NEXT: mgpuStreamCreate
// CALLS-22-NEXT: mgpuLaunchKernel 3,1,1 5,1,1
// CALLS-22-NEXT: mgpuStreamSynchronize
// CALLS-22-NEXT: mgpuStreamDestroy
// CALLS-22-NEXT: mgpuModuleUnload
//
// Both at every launch:
// CALLS-19: mgpuModuleLoad
// CALLS-19-NEXT: mgpuModuleGetFunction main_kernel
// CALLS-19-NEXT: mgpuStreamCreate
// CALLS-19-NEXT: mgpuLaunchKernel 3,1,1 5,1,1
// CALLS-19-NEXT: mgpuStreamSynchronize
// CALLS-19-NEXT: mgpuStreamDestroy
// CALLS-19-NEXT: mgpuModuleUnload
// CALLS-19-NEXT: mgpuModuleLoad
// CALLS-16: mgpuModuleLoad
// CALLS-16-NEXT: mgpuModuleGetFunction main_kernel
// CALLS-16-NEXT: mgpuStreamCreate
// CALLS-16-NEXT: mgpuLaunchKernel 3,1,1 5,1,1
// CALLS-16-NEXT: mgpuStreamSynchronize
// CALLS-16-NEXT: mgpuStreamDestroy
// CALLS-16-NEXT: mgpuModuleUnload
// CALLS-16-NEXT: mgpuModuleLoad

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c2 step %c1 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c3, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c5, %sy = %c1, %sz = %c1) {
      gpu.terminator
    }
  }
  %r = arith.constant 0 : i32
  return %r : i32
}
