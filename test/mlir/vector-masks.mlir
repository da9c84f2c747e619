// Vectors of four read and written by each work-item where memory does not end at a
// multiple of four: vector.transfer_read pads what is outside, masks leave lanes alone.
//
// RUN: %each_way gpu %s | FileCheck %s
// REQUIRES: from-mlir-19
// CHECK: [0,  2,  4,  6,  8,  10,  12,  14,  16,  18]
// CHECK: [-1,  2,  -1,  6,  -1,  10,  -1,  14,  -1,  18,  -1]

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Doubles n numbers of in to both, of one only the odd lanes.
    gpu.func @double(%in: memref<?xf32>, %n: index, %all: memref<?xf32>, %odd: memref<?xf32>) kernel {
      %c4 = arith.constant 4 : index
      %odds = arith.constant dense<[false, true, false, true]> : vector<4xi1>
      %t = gpu.thread_id x
      %i = arith.muli %t, %c4 : index
      %left = arith.subi %n, %i : index
      %inside = vector.create_mask %left : vector<4xi1>
      %pad = arith.constant 0.0 : f32
      %x = vector.transfer_read %in[%i], %pad : memref<?xf32>, vector<4xf32>
      %y = arith.addf %x, %x : vector<4xf32>
      vector.transfer_write %y, %all[%i] : vector<4xf32>, memref<?xf32>
      %both = arith.andi %inside, %odds : vector<4xi1>
      vector.maskedstore %odd[%i], %both, %y : memref<?xf32>, vector<4xi1>, vector<4xf32>
      gpu.return
    }
  }

  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c10 = arith.constant 10 : index
    %c11 = arith.constant 11 : index
    %minus = arith.constant -1.0 : f32
    %in = memref.alloc(%c10) : memref<?xf32>
    %all = memref.alloc(%c10) : memref<?xf32>
    %odd = memref.alloc(%c11) : memref<?xf32>
    scf.for %i = %c0 to %c11 step %c1 {
      memref.store %minus, %odd[%i] : memref<?xf32>
    }
    scf.for %i = %c0 to %c10 step %c1 {
      %k = arith.index_cast %i : index to i32
      %f = arith.sitofp %k : i32 to f32
      memref.store %f, %in[%i] : memref<?xf32>
    }
    gpu.launch_func @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c3, %c1, %c1)
        args(%in : memref<?xf32>, %c10 : index, %all : memref<?xf32>, %odd : memref<?xf32>)
    %print_all = memref.cast %all : memref<?xf32> to memref<*xf32>
    func.call @printMemrefF32(%print_all) : (memref<*xf32>) -> ()
    %print_odd = memref.cast %odd : memref<?xf32> to memref<*xf32>
    func.call @printMemrefF32(%print_odd) : (memref<*xf32>) -> ()
    %r = arith.constant 0 : i32
    return %r : i32
  }
}
