// Launches that name a stream and wait for a token as well, which later releases refuse. Up to MLIR 22 the
// token decides: the kernel runs on its stream, and gpu.wait waits for that. The named one stays the program's.
//
// RUN: %each_way gpu %s
// REQUIRES: from-mlir-19
// UNSUPPORTED: from-mlir-23

module attributes {gpu.container_module} {
  func.func private @mgpuStreamCreate() -> !llvm.ptr
  func.func private @mgpuStreamSynchronize(!llvm.ptr)
  func.func private @mgpuStreamDestroy(!llvm.ptr)

  gpu.module @kernels {
    gpu.func @add(%m: memref<64xi32>, %v: i32) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
      %i = gpu.thread_id x
      %x = memref.load %m[%i] : memref<64xi32>
      %y = arith.addi %x, %v : i32
      memref.store %y, %m[%i] : memref<64xi32>
      gpu.return
    }
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 64 : index
    %rounds = arith.constant 30 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %a = memref.alloc() : memref<64xi32>
    %b = memref.alloc() : memref<64xi32>
    scf.for %i = %c0 to %n step %c1 {
      memref.store %zero, %a[%i] : memref<64xi32>
      memref.store %zero, %b[%i] : memref<64xi32>
    }
    %whole = memref.cast %a : memref<64xi32> to memref<*xi32>
    %other = memref.cast %b : memref<64xi32> to memref<*xi32>
    gpu.host_register %whole : memref<*xi32>
    gpu.host_register %other : memref<*xi32>
    %s = func.call @mgpuStreamCreate() : () -> !llvm.ptr
    %t = func.call @mgpuStreamCreate() : () -> !llvm.ptr
    scf.for %r = %c0 to %rounds step %c1 {
      %v = arith.index_cast %r : index to i32
      %t0 = gpu.wait async
      %t1 = gpu.launch_func async [%t0] <%s : !llvm.ptr> @kernels::@add blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%a : memref<64xi32>, %v : i32)
      gpu.launch_func <%t : !llvm.ptr> @kernels::@add blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%b : memref<64xi32>, %one : i32)
      gpu.wait [%t1]
    }
    func.call @mgpuStreamSynchronize(%s) : (!llvm.ptr) -> ()
    func.call @mgpuStreamSynchronize(%t) : (!llvm.ptr) -> ()
    func.call @mgpuStreamDestroy(%s) : (!llvm.ptr) -> ()
    func.call @mgpuStreamDestroy(%t) : (!llvm.ptr) -> ()
    gpu.host_unregister %whole : memref<*xi32>
    gpu.host_unregister %other : memref<*xi32>
    %sum = arith.constant 435 : i32 // of 0 to 29
    %thirty = arith.constant 30 : i32
    %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%w = %zero) -> (i32) {
      %x = memref.load %a[%i] : memref<64xi32>
      %y = memref.load %b[%i] : memref<64xi32>
      %p = arith.cmpi ne, %x, %sum : i32
      %q = arith.cmpi ne, %y, %thirty : i32
      %bad = arith.ori %p, %q : i1
      %more = arith.addi %w, %one : i32
      %next = arith.select %bad, %more, %w : i32
      scf.yield %next : i32
    }
    return %wrong : i32
  }
}
