// Two kernels on streams of their own that wait for each other, in the order of a
// conversation of 20 turns: neither can end unless both run at the same time.
//
// RUN: %each_way gpu %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Adds one to the turn when it is odd or even, as its caller is.
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

  // In a function of its own: MLIR 16 can't lower two launches of one kernel.
  func.func @begin(%turn: memref<1xi32>, %odd: i32) -> !gpu.async.token attributes {noinline} {
    %c1 = arith.constant 1 : index
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @kernels::@speak blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%turn : memref<1xi32>, %odd : i32)
    return %t1 : !gpu.async.token
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %twenty = arith.constant 20 : i32
    %turn = memref.alloc() : memref<1xi32>
    memref.store %zero, %turn[%c0] : memref<1xi32>
    %a = func.call @begin(%turn, %one) : (memref<1xi32>, i32) -> !gpu.async.token
    %b = func.call @begin(%turn, %zero) : (memref<1xi32>, i32) -> !gpu.async.token
    gpu.wait [%a]
    gpu.wait [%b]
    %end = memref.load %turn[%c0] : memref<1xi32>
    %wrong = arith.subi %twenty, %end : i32
    return %wrong : i32
  }
}
