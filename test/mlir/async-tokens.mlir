// Device memory and a kernel on one stream, ordered by tokens: allocate, copy
// there, launch, copy back, free, wait. 100 rounds, so that freed blocks are reused;
// each round has other numbers.
//
// RUN: %each_way gpu %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @triple(%in: memref<512xi32>, %out: memref<512xi32>) kernel {
      %three = arith.constant 3 : i32
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %n = gpu.block_dim x
      %first = arith.muli %b, %n : index
      %i = arith.addi %first, %t : index
      %v = memref.load %in[%i] : memref<512xi32>
      %w = arith.muli %v, %three : i32
      memref.store %w, %out[%i] : memref<512xi32>
      gpu.return
    }
  }

  func.func @round(%host: memref<512xi32>) attributes {noinline} {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %t0 = gpu.wait async
    %in, %t1 = gpu.alloc async [%t0] () : memref<512xi32>
    %out, %t2 = gpu.alloc async [%t1] () : memref<512xi32>
    %t3 = gpu.memcpy async [%t2] %in, %host : memref<512xi32>, memref<512xi32>
    %t4 = gpu.launch_func async [%t3] @kernels::@triple blocks in (%c4, %c1, %c1) threads in (%c128, %c1, %c1)
        args(%in : memref<512xi32>, %out : memref<512xi32>)
    %t5 = gpu.dealloc async [%t4] %in : memref<512xi32>
    %t6 = gpu.memcpy async [%t5] %host, %out : memref<512xi32>, memref<512xi32>
    %t7 = gpu.dealloc async [%t6] %out : memref<512xi32>
    gpu.wait [%t7]
    return
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rounds = arith.constant 100 : index
    %n = arith.constant 512 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %thousand = arith.constant 1000 : i32
    %host = memref.alloc() : memref<512xi32>
    %wrong = scf.for %r = %c0 to %rounds step %c1 iter_args(%wr = %zero) -> (i32) {
      %r32 = arith.index_cast %r : index to i32
      %base = arith.muli %r32, %thousand : i32
      scf.for %i = %c0 to %n step %c1 {
        %i32 = arith.index_cast %i : index to i32
        %v = arith.addi %base, %i32 : i32
        memref.store %v, %host[%i] : memref<512xi32>
      }
      func.call @round(%host) : (memref<512xi32>) -> ()
      %w1 = scf.for %i = %c0 to %n step %c1 iter_args(%w = %wr) -> (i32) {
        %i32 = arith.index_cast %i : index to i32
        %v = arith.addi %base, %i32 : i32
        %want = arith.muli %v, %three : i32
        %got = memref.load %host[%i] : memref<512xi32>
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
