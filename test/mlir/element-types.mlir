// One kernel over elements of i8, i16, i64, f16 and f64: loads and stores of
// every width, conversions between them, and 64-bit arithmetic.
//
// RUN: %each_way gpu %s | FileCheck %s
// CHECK: [3,  -8,  19,  -24,  35,  -40,  51,  -56]
// CHECK: [0.25,  -1.25,  2.25,  -3.25,  4.25,  -5.25,  6.25,  -7.25]

func.func @widen(%a: memref<8xi8>, %b: memref<8xi16>, %c: memref<8xi64>, %h: memref<8xf16>, %d: memref<8xf64>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %five = arith.constant 5 : i64
    %three = arith.constant 3 : i64
    %x = memref.load %a[%tx] : memref<8xi8>
    %y = memref.load %b[%tx] : memref<8xi16>
    %xl = arith.extsi %x : i8 to i64
    %yl = arith.extsi %y : i16 to i64
    %p = arith.muli %xl, %five : i64
    %q = arith.muli %yl, %three : i64
    %s = arith.addi %p, %q : i64
    memref.store %s, %c[%tx] : memref<8xi64>
    %u = memref.load %h[%tx] : memref<8xf16>
    %ul = arith.extf %u : f16 to f64
    %xf = arith.sitofp %x : i8 to f64
    %v = arith.addf %ul, %xf : f64
    memref.store %v, %d[%tx] : memref<8xf64>
    gpu.terminator
  }
  return
}

func.func private @printMemrefI64(memref<*xi64>) attributes {llvm.emit_c_interface}
func.func private @printMemrefF64(memref<*xf64>) attributes {llvm.emit_c_interface}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %quarter = arith.constant 0.25 : f16
  %a = memref.alloc() : memref<8xi8>
  %b = memref.alloc() : memref<8xi16>
  %c = memref.alloc() : memref<8xi64>
  %h = memref.alloc() : memref<8xf16>
  %d = memref.alloc() : memref<8xf64>
  // a = 0 -1 2 -3 ..., b = 1 -1 3 -3 ..., h = 0.25 -0.25 0.25 ...; 5 a + 3 b and h + a
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i32
    %low = arith.andi %k, %one : i32
    %odd = arith.cmpi eq, %low, %one : i32
    %minus = arith.subi %zero, %k : i32
    %signed = arith.select %odd, %minus, %k : i32
    %a8 = arith.trunci %signed : i32 to i8
    %k1 = arith.addi %k, %one : i32
    %minus1 = arith.subi %zero, %k : i32
    %signed1 = arith.select %odd, %minus1, %k1 : i32
    %b16 = arith.trunci %signed1 : i32 to i16
    %nq = arith.negf %quarter : f16
    %q = arith.select %odd, %nq, %quarter : f16
    memref.store %a8, %a[%i] : memref<8xi8>
    memref.store %b16, %b[%i] : memref<8xi16>
    memref.store %q, %h[%i] : memref<8xf16>
  }
  func.call @widen(%a, %b, %c, %h, %d) : (memref<8xi8>, memref<8xi16>, memref<8xi64>, memref<8xf16>, memref<8xf64>) -> ()
  %pc = memref.cast %c : memref<8xi64> to memref<*xi64>
  %pd = memref.cast %d : memref<8xf64> to memref<*xf64>
  func.call @printMemrefI64(%pc) : (memref<*xi64>) -> ()
  func.call @printMemrefF64(%pd) : (memref<*xf64>) -> ()
  return %zero : i32
}
