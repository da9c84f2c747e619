// async-tokens.mlir without tokens: gpu-async-region makes them. Each sequence of
// GPU operations gets one stream.
//
// RUN: %each_way async %s | FileCheck %s
// CHECK: [5,  6,  7,  8,  9,  10,  11,  12,  13,  14,  15,  16,  17,  18,  19,  20]

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @plus_five(%m: memref<16xi32>) kernel {
      %five = arith.constant 5 : i32
      %t = gpu.thread_id x
      %v = memref.load %m[%t] : memref<16xi32>
      %w = arith.addi %v, %five : i32
      memref.store %w, %m[%t] : memref<16xi32>
      gpu.return
    }
  }

  func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %host = memref.alloc() : memref<16xi32>
    scf.for %i = %c0 to %c16 step %c1 {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %host[%i] : memref<16xi32>
    }
    %device = gpu.alloc () : memref<16xi32>
    gpu.memcpy %device, %host : memref<16xi32>, memref<16xi32>
    gpu.launch_func @kernels::@plus_five blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
        args(%device : memref<16xi32>)
    gpu.memcpy %host, %device : memref<16xi32>, memref<16xi32>
    gpu.dealloc %device : memref<16xi32>
    %print = memref.cast %host : memref<16xi32> to memref<*xi32>
    func.call @printMemrefI32(%print) : (memref<*xi32>) -> ()
    %r = arith.constant 0 : i32
    return %r : i32
  }
}
