// C = A B for 64x64 f32 matrices: blocks of 16x16 threads, each multiplying
// tiles that it keeps in workgroup memory between barriers. The elements are
// small integers, so every sum is exact, in whatever order.
//
// RUN: %each_way gpu %s
// RUN: env CHIP=gfx900 MGPU_SOFT_CHIP=gfx900 %each_way gpu %s
// RUN: %if from-mlir-22 %{ env CHIP=gfx1100 MGPU_SOFT_CHIP=gfx1100 %each_way gpu %s %}
// RUN: %if from-mlir-22 %{ env CHIP=gfx1200 WAVE=64 MGPU_SOFT_CHIP=gfx1200 %each_way gpu %s %}

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @matmul(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>)
        workgroup(%ta: memref<16x16xf32, 3>, %tb: memref<16x16xf32, 3>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0.0 : f32
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %row0 = arith.muli %by, %c16 : index
      %row = arith.addi %row0, %ty : index
      %col0 = arith.muli %bx, %c16 : index
      %col = arith.addi %col0, %tx : index
      %sum = scf.for %k0 = %c0 to %c64 step %c16 iter_args(%outer = %zero) -> (f32) {
        %ka = arith.addi %k0, %tx : index
        %kb = arith.addi %k0, %ty : index
        %x = memref.load %a[%row, %ka] : memref<64x64xf32>
        %y = memref.load %b[%kb, %col] : memref<64x64xf32>
        memref.store %x, %ta[%ty, %tx] : memref<16x16xf32, 3>
        memref.store %y, %tb[%ty, %tx] : memref<16x16xf32, 3>
        gpu.barrier
        %part = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %outer) -> (f32) {
          %u = memref.load %ta[%ty, %k] : memref<16x16xf32, 3>
          %v = memref.load %tb[%k, %tx] : memref<16x16xf32, 3>
          %p = arith.mulf %u, %v : f32
          %s = arith.addf %acc, %p : f32
          scf.yield %s : f32
        }
        gpu.barrier
        scf.yield %part : f32
      }
      memref.store %sum, %c[%row, %col] : memref<64x64xf32>
      gpu.return
    }
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c7 = arith.constant 7 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %fzero = arith.constant 0.0 : f32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %a = memref.alloc() : memref<64x64xf32>
    %b = memref.alloc() : memref<64x64xf32>
    %c = memref.alloc() : memref<64x64xf32>
    // a[i][j] = (i + 2 j) mod 7 - 3, b[i][j] = (3 i + j) mod 7 - 3
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %j2 = arith.addi %j, %j : index
        %s = arith.addi %i, %j2 : index
        %m = arith.remui %s, %c7 : index
        %mi = arith.index_cast %m : index to i32
        %ai = arith.subi %mi, %three : i32
        %af = arith.sitofp %ai : i32 to f32
        memref.store %af, %a[%i, %j] : memref<64x64xf32>
        %i2 = arith.addi %i, %i : index
        %i3 = arith.addi %i2, %i : index
        %t = arith.addi %i3, %j : index
        %n = arith.remui %t, %c7 : index
        %ni = arith.index_cast %n : index to i32
        %bi = arith.subi %ni, %three : i32
        %bf = arith.sitofp %bi : i32 to f32
        memref.store %bf, %b[%i, %j] : memref<64x64xf32>
      }
    }
    gpu.launch_func @kernels::@matmul blocks in (%c4, %c4, %c1) threads in (%c16, %c16, %c1)
        args(%a : memref<64x64xf32>, %b : memref<64x64xf32>, %c : memref<64x64xf32>)
    %wrong = scf.for %i = %c0 to %c64 step %c1 iter_args(%wi = %zero) -> (i32) {
      %row = scf.for %j = %c0 to %c64 step %c1 iter_args(%w = %wi) -> (i32) {
        %want = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %fzero) -> (f32) {
          %u = memref.load %a[%i, %k] : memref<64x64xf32>
          %v = memref.load %b[%k, %j] : memref<64x64xf32>
          %p = arith.mulf %u, %v : f32
          %s = arith.addf %acc, %p : f32
          scf.yield %s : f32
        }
        %got = memref.load %c[%i, %j] : memref<64x64xf32>
        %bad = arith.cmpf une, %got, %want : f32
        %more = arith.addi %w, %one : i32
        %next = arith.select %bad, %more, %w : i32
        scf.yield %next : i32
      }
      scf.yield %row : i32
    }
    %most = arith.constant 255 : i32
    %status = arith.minui %wrong, %most : i32
    return %status : i32
  }
}
