// Two kernels on streams of their own that wait for each other, in the order of a
// conversation of 20 turns: neither can end unless both run at the same time.
//
// Lowered by gpu-async-region (kind async) it hangs with MLIR's library, too: that pass
// makes the second stream wait for an event that the first records after its kernel.
//
// RUN: %each_way gpu %s
// REQUIRES: from-mlir-19

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Adds one to the turn whenever it is odd, or even if odd is 0.
    gpu.func @speak(%turn: memref<1xi32>, %odd: i32) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %ten = arith.constant 10 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      scf.for %i = %c0 to %ten step %c1 {
        scf.while : () -> () {
          %now = memref.atomic_rmw addi %zero, %turn[%c0] : (i32, memref<1xi32>) -> i32
          %low = arith.andi %now, %one : i32
          %others = arith.cmpi ne, %low, %odd : i32
          scf.condition(%others)
        } do {
          scf.yield
        }
        %before = memref.atomic_rmw addi %one, %turn[%c0] : (i32, memref<1xi32>) -> i32
      }
      gpu.return
    }
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %twenty = arith.constant 20 : i32
    %turn = memref.alloc() : memref<1xi32>
    memref.store %zero, %turn[%c0] : memref<1xi32>
    %a0 = gpu.wait async
    %a1 = gpu.launch_func async [%a0] @kernels::@speak blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%turn : memref<1xi32>, %one : i32)
    %b0 = gpu.wait async
    %b1 = gpu.launch_func async [%b0] @kernels::@speak blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%turn : memref<1xi32>, %zero : i32)
    gpu.wait [%a1]
    gpu.wait [%b1]
    %end = memref.load %turn[%c0] : memref<1xi32>
    %wrong = arith.subi %twenty, %end : i32
    return %wrong : i32
  }
}
