// Memory that host and kernels share (gpu.alloc host_shared): the host fills it, two
// kernels work on it in place, and the host reads it, without a copy.
//
// RUN: %each_way gpu %s | FileCheck %s
// REQUIRES: from-mlir-19
// CHECK: [1,  2,  5,  10,  17,  26,  37,  50,  65,  82]

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @square(%v: memref<10xi32>) kernel {
      %t = gpu.thread_id x
      %x = memref.load %v[%t] : memref<10xi32>
      %y = arith.muli %x, %x : i32
      memref.store %y, %v[%t] : memref<10xi32>
      gpu.return
    }
    gpu.func @increment(%v: memref<10xi32>) kernel {
      %one = arith.constant 1 : i32
      %t = gpu.thread_id x
      %x = memref.load %v[%t] : memref<10xi32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %v[%t] : memref<10xi32>
      gpu.return
    }
  }

  func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %zero = arith.constant 0 : i32
    %v = gpu.alloc host_shared () : memref<10xi32>
    scf.for %i = %c0 to %c10 step %c1 {
      %x = arith.index_cast %i : index to i32
      memref.store %x, %v[%i] : memref<10xi32>
    }
    gpu.launch_func @kernels::@square blocks in (%c1, %c1, %c1) threads in (%c10, %c1, %c1) args(%v : memref<10xi32>)
    gpu.launch_func @kernels::@increment blocks in (%c1, %c1, %c1) threads in (%c10, %c1, %c1) args(%v : memref<10xi32>)
    %print = memref.cast %v : memref<10xi32> to memref<*xi32>
    func.call @printMemrefI32(%print) : (memref<*xi32>) -> ()
    return %zero : i32
  }
}
