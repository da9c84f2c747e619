// Divergent lanes: every thread follows the Collatz sequence of its number to 1
// and counts the steps, so the lanes of a wave leave the loop one by one.
//
// RUN: %each_way gpu %s | FileCheck %s
// CHECK: sizes = [100]
// CHECK-NEXT: [0,  1,  7,  2,  5,  8,  16,  3,  19,  6,  14,  9,  9,  17,  17,  4,  12,  20,  20,  7,  7,  15,  15,  10,  23,  10,  111,

func.func @steps(%out: memref<100xi32>) {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 100 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %t = arith.index_cast %tx : index to i32
    %start = arith.addi %t, %one : i32
    %last:2 = scf.while (%n = %start, %steps = %zero) : (i32, i32) -> (i32, i32) {
      %go = arith.cmpi ne, %n, %one : i32
      scf.condition(%go) %n, %steps : i32, i32
    } do {
    ^bb0(%n: i32, %steps: i32):
      %low = arith.andi %n, %one : i32
      %odd = arith.cmpi eq, %low, %one : i32
      %next = scf.if %odd -> (i32) {
        %p = arith.muli %n, %three : i32
        %q = arith.addi %p, %one : i32
        scf.yield %q : i32
      } else {
        %h = arith.divui %n, %two : i32
        scf.yield %h : i32
      }
      %more = arith.addi %steps, %one : i32
      scf.yield %next, %more : i32, i32
    }
    memref.store %last#1, %out[%tx] : memref<100xi32>
    gpu.terminator
  }
  return
}

func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

func.func @main() -> i32 {
  %out = memref.alloc() : memref<100xi32>
  func.call @steps(%out) : (memref<100xi32>) -> ()
  %print = memref.cast %out : memref<100xi32> to memref<*xi32>
  func.call @printMemrefI32(%print) : (memref<*xi32>) -> ()
  %r = arith.constant 0 : i32
  return %r : i32
}
