// Kernels that print: every work-item its line, strings longer than a packet,
// lanes that diverge, several launches. What the host prints in between comes out
// in between.
//
// gpu.printf is spelt in its generic form, which does not change between releases.
//
// RUN: %each_way printf %s >%t.printed
// RUN: FileCheck %s <%t.printed
// RUN: grep -c '^item ' %t.printed | FileCheck %s --check-prefix=COUNT
// RUN: sort -u %t.printed | grep -c '^item ' | FileCheck %s --check-prefix=COUNT
// RUN: grep -c '^third ' %t.printed | FileCheck %s --check-prefix=THIRDS
// REQUIRES: from-mlir-19

// CHECK-NOT: item
// CHECK: one
// CHECK: item 0 of 100 in block 0: -7 0.500000 1.250000e+00 [   abc]
// CHECK: two
// CHECK-NOT: item
// CHECK: a line that is much longer than the seven words of a packet, so that it goes to the host in several pieces: 42
// CHECK: three
// CHECK: third 0
// CHECK: nothing but text, and a percent sign: %
// CHECK: four

// COUNT: 300
// THIRDS: 22


llvm.mlir.global internal constant @one("one\0A\00")
llvm.mlir.global internal constant @two("two\0A\00")
llvm.mlir.global internal constant @three("three\0A\00")
llvm.mlir.global internal constant @four("four\0A\00")
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func @fflush(!llvm.ptr) -> i32

func.func @items() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 3 : index
  %threads = arith.constant 100 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %minus = arith.constant -7 : i32
    %half = arith.constant 0.5 : f32
    %double = arith.constant 1.25 : f64
    "gpu.printf"(%tx, %sx, %bx, %minus, %half, %double) <{format = "item %lld of %lld in block %lld: %d %f %e [   abc]\n"}> : (index, index, index, i32, f32, f64) -> ()
    gpu.terminator
  }
  return
}

func.func @long() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %n = arith.constant 42 : i64
    "gpu.printf"(%n) <{format = "a line that is much longer than the seven words of a packet, so that it goes to the host in several pieces: %lld\n"}> : (i64) -> ()
    gpu.terminator
  }
  return
}

func.func @thirds() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %rest = arith.remui %tx, %c3 : index
    %is = arith.cmpi eq, %rest, %c0 : index
    scf.if %is {
      "gpu.printf"(%tx) <{format = "third %lld\n"}> : (index) -> ()
    }
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      "gpu.printf"() <{format = "nothing but text, and a percent sign: %%\n"}> : () -> ()
    }
    gpu.terminator
  }
  return
}

func.func @say(%text: !llvm.ptr) {
  %n = llvm.call @printf(%text) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
  return
}

func.func @main() -> i32 {
  %one = llvm.mlir.addressof @one : !llvm.ptr
  %two = llvm.mlir.addressof @two : !llvm.ptr
  %three = llvm.mlir.addressof @three : !llvm.ptr
  %four = llvm.mlir.addressof @four : !llvm.ptr
  func.call @say(%one) : (!llvm.ptr) -> ()
  func.call @items() : () -> ()
  func.call @say(%two) : (!llvm.ptr) -> ()
  func.call @long() : () -> ()
  func.call @say(%three) : (!llvm.ptr) -> ()
  func.call @thirds() : () -> ()
  func.call @say(%four) : (!llvm.ptr) -> ()
  // The runner prints main's result past C's buffers.
  %all = llvm.mlir.zero : !llvm.ptr
  %flushed = llvm.call @fflush(%all) : (!llvm.ptr) -> i32
  %ok = arith.constant 0 : i32
  return %ok : i32
}
