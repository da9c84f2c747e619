// Two chains on two streams that meet: one kernel reads what both wrote. The
// lowering makes events for the meeting, and up to LLVM 22 it hands a stream to
// calls that take an event. Only with the cache off that fails, as it does with
// MLIR's own wrapper.
//
// RUN: env UNCACHED=no %each_way gpu %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Slow: every thread counts to the value that it writes.
    gpu.func @count_to(%n: index, %out: memref<64xi32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i32
      %t = gpu.thread_id x
      %end = arith.addi %n, %t : index
      %one = arith.constant 1 : i32
      memref.store %zero, %out[%t] : memref<64xi32>
      scf.for %i = %c0 to %end step %c1 {
        %v = memref.load %out[%t] : memref<64xi32>
        %w = arith.addi %v, %one : i32
        memref.store %w, %out[%t] : memref<64xi32>
      }
      gpu.return
    }
  }
  gpu.module @join {
    gpu.func @add(%a: memref<64xi32>, %b: memref<64xi32>, %c: memref<64xi32>) kernel {
      %t = gpu.thread_id x
      %x = memref.load %a[%t] : memref<64xi32>
      %y = memref.load %b[%t] : memref<64xi32>
      %z = arith.addi %x, %y : i32
      memref.store %z, %c[%t] : memref<64xi32>
      gpu.return
    }
  }

  func.func @count(%after: !gpu.async.token, %n: index, %out: memref<64xi32>) -> !gpu.async.token {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %t = gpu.launch_func async [%after] @kernels::@count_to blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%n : index, %out : memref<64xi32>)
    return %t : !gpu.async.token
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %few = arith.constant 100 : index
    %many = arith.constant 700 : index
    %both = arith.constant 800 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %a = memref.alloc() : memref<64xi32>
    %b = memref.alloc() : memref<64xi32>
    %c = memref.alloc() : memref<64xi32>
    %s0 = gpu.wait async
    %s1 = gpu.wait async
    %t0 = func.call @count(%s0, %many, %a) : (!gpu.async.token, index, memref<64xi32>) -> !gpu.async.token
    %t1 = func.call @count(%s1, %few, %b) : (!gpu.async.token, index, memref<64xi32>) -> !gpu.async.token
    %met = gpu.wait async [%t0, %t1]
    %t2 = gpu.launch_func async [%met] @join::@add blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%a : memref<64xi32>, %b : memref<64xi32>, %c : memref<64xi32>)
    gpu.wait [%t2]
    %wrong = scf.for %i = %c0 to %c64 step %c1 iter_args(%w = %zero) -> (i32) {
      %i2 = arith.addi %i, %i : index
      %sum = arith.addi %both, %i2 : index
      %want = arith.index_cast %sum : index to i32
      %got = memref.load %c[%i] : memref<64xi32>
      %bad = arith.cmpi ne, %got, %want : i32
      %more = arith.addi %w, %one : i32
      %next = arith.select %bad, %more, %w : i32
      scf.yield %next : i32
    }
    %most = arith.constant 255 : i32
    %status = arith.minui %wrong, %most : i32
    return %status : i32
  }
}
