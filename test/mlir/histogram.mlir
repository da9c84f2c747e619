// Atomic additions: 2048 threads of eight blocks count into ten bins, so many
// lanes of a wave and many waves change each bin.
//
// RUN: %each_way gpu %s | FileCheck %s
// CHECK: sizes = [10]
// CHECK-NEXT: [205,  205,  205,  205,  205,  205,  205,  205,  204,  204]

func.func @count(%bins: memref<10xi32>) {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 8 : index
  %threads = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %one = arith.constant 1 : i32
    %ten = arith.constant 10 : index
    %first = arith.muli %bx, %sx : index
    %i = arith.addi %first, %tx : index
    %bin = arith.remui %i, %ten : index
    %old = memref.atomic_rmw addi %one, %bins[%bin] : (i32, memref<10xi32>) -> i32
    gpu.terminator
  }
  return
}

func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0 : i32
  %bins = memref.alloc() : memref<10xi32>
  scf.for %i = %c0 to %c10 step %c1 {
    memref.store %zero, %bins[%i] : memref<10xi32>
  }
  func.call @count(%bins) : (memref<10xi32>) -> ()
  %print = memref.cast %bins : memref<10xi32> to memref<*xi32>
  func.call @printMemrefI32(%print) : (memref<*xi32>) -> ()
  %r = arith.constant 0 : i32
  return %r : i32
}
