// A loop that needs 8 MiB in each of its 1000 turns, and frees them in every third
// only, uses exactly 8 MiB: a scope gives each turn the last one's memory, as
// GPUArrays' @cached does in Julia.
//
// RUN: %lower async %s %t.mlir
// RUN: %link %t.mlir %t
// RUN: env MGPU_STATS=1 %t 2>&1 | FileCheck %s
// RUN: env MGPU_MEM_FILL=poison %t
//
// Columns: calls, driver calls, hits, misses.
// CHECK-DAG: mgpuMemAlloc 1000 1 999 1 0
// CHECK-DAG: mgpuMemFree 334 0 334 0 0
// CHECK-DAG: mgpuxAllocCacheBegin 1000
// CHECK-DAG: mgpuxAllocCacheEnd 1000
// CHECK: memory of device 0: 0 bytes in use, 8388608 at most, 8388608 from the driver, 8388608 cached

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @store(%m: memref<2097152xi32>, %v: i32) kernel {
      %t = gpu.thread_id x
      memref.store %v, %m[%t] : memref<2097152xi32>
      gpu.return
    }
  }

  func.func private @mgpuxAllocCacheCreate() -> i64
  func.func private @mgpuxAllocCacheBegin(i64)
  func.func private @mgpuxAllocCacheEnd(i64)
  func.func private @mgpuxAllocCacheDestroy(i64)
  func.func private @mgpuxAllocCacheInfo(i64, i32) -> i64

  func.func @store(%m: memref<2097152xi32>, %i: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = arith.index_cast %i : index to i32
    gpu.launch_func @kernels::@store blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<2097152xi32>, %v : i32)
    return
  }

  func.func @turn(%i: index) {
    %m = gpu.alloc () : memref<2097152xi32>
    func.call @store(%m, %i) : (memref<2097152xi32>, index) -> ()
    return
  }

  func.func @freeing_turn(%i: index) {
    %m = gpu.alloc () : memref<2097152xi32>
    func.call @store(%m, %i) : (memref<2097152xi32>, index) -> ()
    gpu.dealloc %m : memref<2097152xi32>
    return
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %n = arith.constant 1000 : index
    %cache = func.call @mgpuxAllocCacheCreate() : () -> i64
    scf.for %i = %c0 to %n step %c1 {
      func.call @mgpuxAllocCacheBegin(%cache) : (i64) -> ()
      %third = arith.remui %i, %c3 : index
      %free = arith.cmpi eq, %third, %c0 : index
      scf.if %free {
        func.call @freeing_turn(%i) : (index) -> ()
      } else {
        func.call @turn(%i) : (index) -> ()
      }
      func.call @mgpuxAllocCacheEnd(%cache) : (i64) -> ()
    }
    %what = arith.constant 2 : i32
    %bytes = func.call @mgpuxAllocCacheInfo(%cache, %what) : (i64, i32) -> i64
    func.call @mgpuxAllocCacheDestroy(%cache) : (i64) -> ()
    %mib8 = arith.constant 8388608 : i64
    %wrong = arith.cmpi ne, %bytes, %mib8 : i64
    %r = arith.extui %wrong : i1 to i32
    return %r : i32
  }
}
