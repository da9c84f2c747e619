// The sum of 2000 numbers in two kernels: blocks of 256 threads add their part
// in workgroup memory, halving the threads that take part after each barrier;
// one more block adds the eight parts. Sum of i mod 100: 99000.
//
// RUN: %each_way gpu %s | FileCheck %s
// CHECK: sizes = [1]
// CHECK-NEXT: [99000]

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @sum(%in: memref<?xf32>, %out: memref<?xf32>) workgroup(%part: memref<256xf32, 3>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c128 = arith.constant 128 : index
      %zero = arith.constant 0.0 : f32
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %size = gpu.block_dim x
      %n = memref.dim %in, %c0 : memref<?xf32>
      %first = arith.muli %b, %size : index
      %i = arith.addi %first, %t : index
      %inside = arith.cmpi ult, %i, %n : index
      %mine = scf.if %inside -> (f32) {
        %x = memref.load %in[%i] : memref<?xf32>
        scf.yield %x : f32
      } else {
        scf.yield %zero : f32
      }
      memref.store %mine, %part[%t] : memref<256xf32, 3>
      gpu.barrier
      %end = scf.while (%half = %c128) : (index) -> index {
        %go = arith.cmpi ugt, %half, %c0 : index
        scf.condition(%go) %half : index
      } do {
      ^bb0(%half: index):
        %takes_part = arith.cmpi ult, %t, %half : index
        scf.if %takes_part {
          %other = arith.addi %t, %half : index
          %u = memref.load %part[%t] : memref<256xf32, 3>
          %v = memref.load %part[%other] : memref<256xf32, 3>
          %s = arith.addf %u, %v : f32
          memref.store %s, %part[%t] : memref<256xf32, 3>
        }
        gpu.barrier
        %quarter = arith.divui %half, %c2 : index
        scf.yield %quarter : index
      }
      %leads = arith.cmpi eq, %t, %c0 : index
      scf.if %leads {
        %s = memref.load %part[%c0] : memref<256xf32, 3>
        memref.store %s, %out[%b] : memref<?xf32>
      }
      gpu.return
    }
  }

  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

  // In a function of its own: MLIR 16 can't lower two launches of one kernel.
  func.func @sum(%blocks: index, %in: memref<?xf32>, %out: memref<?xf32>) attributes {noinline} {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    gpu.launch_func @kernels::@sum blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%in : memref<?xf32>, %out : memref<?xf32>)
    return
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %hundred = arith.constant 100 : index
    %n = arith.constant 2000 : index
    %in = memref.alloc(%n) : memref<?xf32>
    %parts = memref.alloc(%c8) : memref<?xf32>
    %out = memref.alloc(%c1) : memref<?xf32>
    scf.for %i = %c0 to %n step %c1 {
      %m = arith.remui %i, %hundred : index
      %k = arith.index_cast %m : index to i32
      %f = arith.sitofp %k : i32 to f32
      memref.store %f, %in[%i] : memref<?xf32>
    }
    func.call @sum(%c8, %in, %parts) : (index, memref<?xf32>, memref<?xf32>) -> ()
    func.call @sum(%c1, %parts, %out) : (index, memref<?xf32>, memref<?xf32>) -> ()
    %print = memref.cast %out : memref<?xf32> to memref<*xf32>
    func.call @printMemrefF32(%print) : (memref<*xf32>) -> ()
    %r = arith.constant 0 : i32
    return %r : i32
  }
}
