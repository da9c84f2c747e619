// A function that brings its data along, called 1000 times: allocate, copy, launch, copy
// back, free. Where copies are deferred it takes one allocation, no free, and one wait
// for each turn, at which the data arrives.
//
// RUN: %lower async %s %t.mlir
// RUN: %link %t.mlir %t
// RUN: %t
// RUN: env MGPU_COPY=deferred MGPU_STATS=1 %t 2>&1 | FileCheck %s
// RUN: env MGPU_COPY=deferred MGPU_DIRECT=off %t
// RUN: env MGPU_COPY=deferred MGPU_MEM_CACHE=stream %t
// RUN: env MGPU_COPY=deferred MGPU_MEM_CACHE=off %t
//
// Columns: calls, driver calls, hits, misses.
// CHECK-DAG: mgpuMemAlloc 1000 1 999 1 0
// CHECK-DAG: mgpuMemFree 1000 0 1000 0 0
// CHECK-DAG: mgpuMemcpy 2000
// CHECK-DAG: mgpuLaunchKernel 1000 1000
// CHECK-DAG: mgpuStreamSynchronize 1000 1000
// CHECK: memory of device 0: 0 bytes in use, 65536 at most, 65536 from the driver, 65536 cached; 0 hits, 999 after waiting, 1 misses; 1000 frees with work pending, 0 that waited
// CHECK: copies: 0 staged, 1000 deferred, 1000 of those delivered

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @add(%m: memref<16384xi32>, %v: i32) kernel {
      %t = gpu.thread_id x
      %old = memref.load %m[%t] : memref<16384xi32>
      %new = arith.addi %old, %v : i32
      memref.store %new, %m[%t] : memref<16384xi32>
      gpu.return
    }
  }

  func.func @add(%host: memref<16384xi32>, %v: i32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %m = gpu.alloc () : memref<16384xi32>
    gpu.memcpy %m, %host : memref<16384xi32>, memref<16384xi32>
    gpu.launch_func @kernels::@add blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<16384xi32>, %v : i32)
    gpu.memcpy %host, %m : memref<16384xi32>, memref<16384xi32>
    gpu.dealloc %m : memref<16384xi32>
    return
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %words = arith.constant 16384 : index
    %n = arith.constant 1000 : index
    %zero = arith.constant 0 : i32
    %host = memref.alloc() : memref<16384xi32>
    scf.for %i = %c0 to %words step %c1 {
      memref.store %zero, %host[%i] : memref<16384xi32>
    }
    scf.for %i = %c0 to %n step %c1 {
      %v = arith.index_cast %i : index to i32
      func.call @add(%host, %v) : (memref<16384xi32>, i32) -> ()
    }
    // 0 + 1 + ... + 999 in the first 64 words, and nothing in the others.
    %sum = arith.constant 499500 : i32
    %wrong = scf.for %i = %c0 to %words step %c1 iter_args(%w = %zero) -> (i32) {
      %got = memref.load %host[%i] : memref<16384xi32>
      %low = arith.cmpi ult, %i, %c64 : index
      %want = arith.select %low, %sum, %zero : i32
      %bad = arith.cmpi ne, %got, %want : i32
      %one = arith.extui %bad : i1 to i32
      %next = arith.addi %w, %one : i32
      scf.yield %next : i32
    }
    %most = arith.constant 255 : i32
    %r = arith.minui %wrong, %most : i32
    return %r : i32
  }
}
