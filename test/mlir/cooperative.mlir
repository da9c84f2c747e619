// A cooperative launch: sixteen workgroups are resident at once, so each may wait for
// all of the others within the kernel. After that barrier each adds what its right
// neighbour wrote before it.
//
// RUN: %each_way gpu %s
// REQUIRES: from-mlir-23

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @around(%arrived: memref<1xi32>, %in: memref<16xi32>, %out: memref<16xi32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %n = gpu.grid_dim x
      %blocks = arith.index_cast %n : index to i32
      %leads = arith.cmpi eq, %t, %c0 : index
      scf.if %leads {
        %b32 = arith.index_cast %b : index to i32
        %square = arith.muli %b32, %b32 : i32
        memref.store %square, %in[%b] : memref<16xi32>
        %before = memref.atomic_rmw addi %one, %arrived[%c0] : (i32, memref<1xi32>) -> i32
        scf.while : () -> () {
          %now = memref.atomic_rmw addi %zero, %arrived[%c0] : (i32, memref<1xi32>) -> i32
          %early = arith.cmpi ult, %now, %blocks : i32
          scf.condition(%early)
        } do {
          scf.yield
        }
        %next = arith.addi %b, %c1 : index
        %right = arith.remui %next, %n : index
        %theirs = memref.load %in[%right] : memref<16xi32>
        %sum = arith.addi %square, %theirs : i32
        memref.store %sum, %out[%b] : memref<16xi32>
      }
      gpu.return
    }
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %arrived = memref.alloc() : memref<1xi32>
    %in = memref.alloc() : memref<16xi32>
    %out = memref.alloc() : memref<16xi32>
    memref.store %zero, %arrived[%c0] : memref<1xi32>
    gpu.launch_func @kernels::@around blocks in (%c16, %c1, %c1) threads in (%c64, %c1, %c1) cooperative
        args(%arrived : memref<1xi32>, %in : memref<16xi32>, %out : memref<16xi32>)
    %wrong = scf.for %i = %c0 to %c16 step %c1 iter_args(%w = %zero) -> (i32) {
      %next = arith.addi %i, %c1 : index
      %right = arith.remui %next, %c16 : index
      %a = arith.muli %i, %i : index
      %b = arith.muli %right, %right : index
      %sum = arith.addi %a, %b : index
      %want = arith.index_cast %sum : index to i32
      %got = memref.load %out[%i] : memref<16xi32>
      %bad = arith.cmpi ne, %got, %want : i32
      %more = arith.addi %w, %one : i32
      %w1 = arith.select %bad, %more, %w : i32
      scf.yield %w1 : i32
    }
    return %wrong : i32
  }
}
