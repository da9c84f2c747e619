// The sum of a wave's 64 lane numbers by a butterfly of gpu.shuffle: every lane
// ends with 2016, plus its own number to tell the lanes apart.
//
// REQUIRES: from-mlir-19
// RUN: %each_way gpu %s | FileCheck %s
// RUN: %if from-mlir-22 %{ env CHIP=gfx1100 WAVE=64 %lower gpu %s %t.rdna %}
// CHECK: sizes = [64]
// CHECK-NEXT: [2016,  2017,  2018,  2019,  2020,

func.func @butterfly(%out: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %lanes = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %lanes, %sy = %c1, %sz = %c1) {
    %width = arith.constant 64 : i32
    %o1 = arith.constant 1 : i32
    %o2 = arith.constant 2 : i32
    %o4 = arith.constant 4 : i32
    %o8 = arith.constant 8 : i32
    %o16 = arith.constant 16 : i32
    %o32 = arith.constant 32 : i32
    %v0 = arith.index_cast %tx : index to i32
    %s1, %p1 = gpu.shuffle xor %v0, %o1, %width : i32
    %v1 = arith.addi %v0, %s1 : i32
    %s2, %p2 = gpu.shuffle xor %v1, %o2, %width : i32
    %v2 = arith.addi %v1, %s2 : i32
    %s3, %p3 = gpu.shuffle xor %v2, %o4, %width : i32
    %v3 = arith.addi %v2, %s3 : i32
    %s4, %p4 = gpu.shuffle xor %v3, %o8, %width : i32
    %v4 = arith.addi %v3, %s4 : i32
    %s5, %p5 = gpu.shuffle xor %v4, %o16, %width : i32
    %v5 = arith.addi %v4, %s5 : i32
    %s6, %p6 = gpu.shuffle xor %v5, %o32, %width : i32
    %v6 = arith.addi %v5, %s6 : i32
    %w = arith.addi %v6, %v0 : i32
    memref.store %w, %out[%tx] : memref<64xi32>
    gpu.terminator
  }
  return
}

func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

func.func @main() -> i32 {
  %out = memref.alloc() : memref<64xi32>
  func.call @butterfly(%out) : (memref<64xi32>) -> ()
  %print = memref.cast %out : memref<64xi32> to memref<*xi32>
  func.call @printMemrefI32(%print) : (memref<*xi32>) -> ()
  %r = arith.constant 0 : i32
  return %r : i32
}
