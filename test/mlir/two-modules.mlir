// Two modules in one program, each with a kernel of the same name, launched in
// turn: neither may be taken for the other.
//
// RUN: %each_way gpu %s | FileCheck %s
// CHECK: [11,  12,  13,  14,  15,  16,  17,  18]
// CHECK: [0,  2,  4,  6,  8,  10,  12,  14]
// CHECK: [11,  12,  13,  14,  15,  16,  17,  18]
// CHECK: [0,  2,  4,  6,  8,  10,  12,  14]

module attributes {gpu.container_module} {
  gpu.module @plus {
    gpu.func @fill(%out: memref<8xi32>) kernel {
      %eleven = arith.constant 11 : i32
      %t = gpu.thread_id x
      %i = arith.index_cast %t : index to i32
      %v = arith.addi %i, %eleven : i32
      memref.store %v, %out[%t] : memref<8xi32>
      gpu.return
    }
  }
  gpu.module @times {
    gpu.func @fill(%out: memref<8xi32>) kernel {
      %two = arith.constant 2 : i32
      %t = gpu.thread_id x
      %i = arith.index_cast %t : index to i32
      %v = arith.muli %i, %two : i32
      memref.store %v, %out[%t] : memref<8xi32>
      gpu.return
    }
  }

  func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %out = memref.alloc() : memref<8xi32>
    %print = memref.cast %out : memref<8xi32> to memref<*xi32>
    scf.for %i = %c0 to %c2 step %c1 {
      gpu.launch_func @plus::@fill blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%out : memref<8xi32>)
      func.call @printMemrefI32(%print) : (memref<*xi32>) -> ()
      gpu.launch_func @times::@fill blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%out : memref<8xi32>)
      func.call @printMemrefI32(%print) : (memref<*xi32>) -> ()
    }
    %r = arith.constant 0 : i32
    return %r : i32
  }
}
