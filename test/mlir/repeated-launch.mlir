// The program of the thread "Repeated calls to a ROCm kernel are very slow": an empty kernel
// launched 1000 times. The lowered code makes a stream for every launch, looks the function
// up for every launch and, up to LLVM 20, loads the module for every launch.
// The driver sees each once; with the cache off it sees them all.
//
// RUN: %lower gpu %s %t.mlir
// RUN: %link %t.mlir %t
// RUN: env MGPU_STATS=1 %t 2>&1 | FileCheck %s --check-prefixes=CACHED,CACHED-%release
// RUN: env MGPU_STATS=1 MGPU_CACHE=off %t 2>&1 | FileCheck %s --check-prefixes=OFF,OFF-%release
//
// Columns: calls, driver calls, hits, misses, refused.
// CACHED: cache on
// CACHED-22-DAG: mgpuModuleLoad 1 1 0 1 0
// CACHED-19-DAG: mgpuModuleLoad 1000 1 999 1 0
// CACHED-16-DAG: mgpuModuleLoad 1000 1 999 1 0
// CACHED-DAG: mgpuModuleGetFunction 1000 1 999 1 0
// CACHED-DAG: mgpuStreamCreate 1000 1 999 1 0
// CACHED-DAG: mgpuLaunchKernel 1000 1000
// CACHED-DAG: mgpuStreamSynchronize 1000 1000
// CACHED-DAG: mgpuStreamDestroy 1000 0
//
// OFF: cache off
// OFF-22-DAG: mgpuModuleLoad 1 1
// OFF-19-DAG: mgpuModuleLoad 1000 1000
// OFF-16-DAG: mgpuModuleLoad 1000 1000
// OFF-DAG: mgpuModuleGetFunction 1000 1000
// OFF-DAG: mgpuStreamCreate 1000 1000
// OFF-DAG: mgpuLaunchKernel 1000 1000
// OFF-DAG: mgpuStreamSynchronize 1000 1000
// OFF-DAG: mgpuStreamDestroy 1000 1000

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  scf.for %i = %c0 to %n step %c1 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      gpu.terminator
    }
  }
  %r = arith.constant 0 : i32
  return %r : i32
}
