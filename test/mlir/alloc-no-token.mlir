// gpu.alloc and gpu.dealloc without tokens, which get no stream: memory is allocated at
// once, and freed by the host after a gpu.wait. 50 rounds with other numbers, so that
// freed blocks are reused.
//
// RUN: %each_way gpu %s
// REQUIRES: from-mlir-23

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @double(%v: memref<96xi32>) kernel {
      %t = gpu.thread_id x
      %x = memref.load %v[%t] : memref<96xi32>
      %y = arith.addi %x, %x : i32
      memref.store %y, %v[%t] : memref<96xi32>
      gpu.return
    }
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 96 : index
    %rounds = arith.constant 50 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %host = memref.alloc() : memref<96xi32>
    %wrong = scf.for %r = %c0 to %rounds step %c1 iter_args(%wr = %zero) -> (i32) {
      scf.for %i = %c0 to %n step %c1 {
        %sum = arith.addi %i, %r : index
        %v = arith.index_cast %sum : index to i32
        memref.store %v, %host[%i] : memref<96xi32>
      }
      %dev = gpu.alloc () : memref<96xi32>
      %t0 = gpu.wait async
      %t1 = gpu.memcpy async [%t0] %dev, %host : memref<96xi32>, memref<96xi32>
      %t2 = gpu.launch_func async [%t1] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
          args(%dev : memref<96xi32>)
      %t3 = gpu.memcpy async [%t2] %host, %dev : memref<96xi32>, memref<96xi32>
      gpu.wait [%t3]
      gpu.dealloc %dev : memref<96xi32>
      %w1 = scf.for %i = %c0 to %n step %c1 iter_args(%w = %wr) -> (i32) {
        %sum = arith.addi %i, %r : index
        %twice = arith.addi %sum, %sum : index
        %want = arith.index_cast %twice : index to i32
        %got = memref.load %host[%i] : memref<96xi32>
        %bad = arith.cmpi ne, %got, %want : i32
        %more = arith.addi %w, %one : i32
        %next = arith.select %bad, %more, %w : i32
        scf.yield %next : i32
      }
      scf.yield %w1 : i32
    }
    %most = arith.constant 255 : i32
    %status = arith.minui %wrong, %most : i32
    return %status : i32
  }
}
