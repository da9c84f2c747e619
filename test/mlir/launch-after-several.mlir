// A launch that waits for several others by its tokens, without a gpu.wait between: two
// kernels fill halves on streams of their own, a third adds the halves, 40 rounds.
//
// RUN: %each_way gpu %s
// REQUIRES: from-mlir-23

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @fill(%out: memref<256xi32>, %from: i32) kernel {
      %t = gpu.thread_id x
      %i = arith.index_cast %t : index to i32
      %v = arith.addi %i, %from : i32
      memref.store %v, %out[%t] : memref<256xi32>
      gpu.return
    }
    gpu.func @add(%a: memref<256xi32>, %b: memref<256xi32>) kernel {
      %t = gpu.thread_id x
      %x = memref.load %a[%t] : memref<256xi32>
      %y = memref.load %b[%t] : memref<256xi32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %a[%t] : memref<256xi32>
      gpu.return
    }
  }

  func.func @round(%host: memref<256xi32>, %r: i32) attributes {noinline} {
    %c1 = arith.constant 1 : index
    %n = arith.constant 256 : index
    %seven = arith.constant 7 : i32
    %r7 = arith.muli %r, %seven : i32
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<256xi32>
    %b, %t2 = gpu.alloc async [%t1] () : memref<256xi32>
    gpu.wait [%t2]
    %u0 = gpu.wait async
    %u1 = gpu.launch_func async [%u0] @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
        args(%a : memref<256xi32>, %r : i32)
    %v0 = gpu.wait async
    %v1 = gpu.launch_func async [%v0] @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
        args(%b : memref<256xi32>, %r7 : i32)
    %w1 = gpu.launch_func async [%u1, %v1] @kernels::@add blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
        args(%a : memref<256xi32>, %b : memref<256xi32>)
    %w2 = gpu.memcpy async [%w1] %host, %a : memref<256xi32>, memref<256xi32>
    %w3 = gpu.dealloc async [%w2] %a : memref<256xi32>
    %w4 = gpu.dealloc async [%w3] %b : memref<256xi32>
    gpu.wait [%w4]
    return
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 256 : index
    %rounds = arith.constant 40 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %eight = arith.constant 8 : i32
    %host = memref.alloc() : memref<256xi32>
    %wrong = scf.for %r = %c0 to %rounds step %c1 iter_args(%wr = %zero) -> (i32) {
      %r32 = arith.index_cast %r : index to i32
      func.call @round(%host, %r32) : (memref<256xi32>, i32) -> ()
      %both = arith.muli %r32, %eight : i32
      %w1 = scf.for %i = %c0 to %n step %c1 iter_args(%w = %wr) -> (i32) {
        %i32 = arith.index_cast %i : index to i32
        %twice = arith.addi %i32, %i32 : i32
        %want = arith.addi %twice, %both : i32
        %got = memref.load %host[%i] : memref<256xi32>
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
