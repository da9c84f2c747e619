// A kernel that finds a mistake, prints it and traps: the text arrives, the wait
// reports the failure, and the stream and the program go on.
//
// RUN: %lower printf %s %t.mlir
// RUN: %link %t.mlir %t
// RUN: %t >%t.out 2>%t.err
// RUN: FileCheck %s <%t.out
// RUN: FileCheck %s --check-prefix=ERR <%t.err
// REQUIRES: from-mlir-19

// CHECK: value 3 is too large
// CHECK-NOT: {{.}}
// ERR: 'hipModuleLaunchKernel(check_kernel)' failed with 'hipErrorLaunchFailure': kernel check_kernel: trap: abort or failed assertion
// ERR-SAME: in `s_trap 2`, words bf9{{[02]}}0002 at check_kernel+0x
// ERR-SAME: workgroup (0,0,0)
// ERR-NOT: failed

func.func @check(%bound: index) {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 4 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %bad = arith.cmpi uge, %tx, %bound : index
    scf.if %bad {
      "gpu.printf"(%tx) <{format = "value %lld is too large\n"}> : (index) -> ()
      "llvm.intr.trap"() : () -> ()
    }
    gpu.terminator
  }
  return
}

func.func @main() -> i32 {
  %three = arith.constant 3 : index
  %four = arith.constant 4 : index
  func.call @check(%three) : (index) -> ()
  func.call @check(%four) : (index) -> ()
  %ok = arith.constant 0 : i32
  return %ok : i32
}
