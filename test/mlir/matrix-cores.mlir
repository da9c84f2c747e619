// C = A B for 64x64 f32 matrices on matrix cores: each block is one wave, which
// makes 16 by 16 entries of C, four of B's rows at a time. The elements are small
// integers, so every sum is exact.
//
// From MLIR 23 on, what were the instruction's last three operands are attributes.
//
// RUN: %if from-mlir-23 %{ sed 's/, %none, %none, %none : \(.*\), i32, i32, i32)/, 0, 0, none : \1)/' %s >%t.new %} %else %{ cp %s %t.new %}
// RUN: env CHIP=gfx908 MGPU_SOFT_CHIP=gfx908 %each_way gpu %t.new
// RUN: env CHIP=gfx90a MGPU_SOFT_CHIP=gfx90a %each_way gpu %t.new
// RUN: env CHIP=gfx942 MGPU_SOFT_CHIP=gfx942 %each_way gpu %t.new
// REQUIRES: from-mlir-19

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Lane x of a wave holds row x mod 16 of A and column x mod 16 of B, both at
    // k + x / 16, and of C rows x / 16 * 4 to x / 16 * 4 + 3 in column x mod 16.
    gpu.func @matmul(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %none = arith.constant 0 : i32
      %i0 = arith.constant 0 : i32
      %i1 = arith.constant 1 : i32
      %i2 = arith.constant 2 : i32
      %i3 = arith.constant 3 : i32
      %start = arith.constant dense<0.0> : vector<4xf32>
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %lane = gpu.thread_id x
      %line = arith.remui %lane, %c16 : index
      %part = arith.divui %lane, %c16 : index
      %row0 = arith.muli %by, %c16 : index
      %row = arith.addi %row0, %line : index
      %col0 = arith.muli %bx, %c16 : index
      %col = arith.addi %col0, %line : index
      %sum = scf.for %k0 = %c0 to %c64 step %c4 iter_args(%acc = %start) -> (vector<4xf32>) {
        %k = arith.addi %k0, %part : index
        %x = memref.load %a[%row, %k] : memref<64x64xf32>
        %y = memref.load %b[%k, %col] : memref<64x64xf32>
        %next = rocdl.mfma.f32.16x16x4f32 %x, %y, %acc, %none, %none, %none : (f32, f32, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
        scf.yield %next : vector<4xf32>
      }
      %down = arith.muli %part, %c4 : index
      %r0 = arith.addi %row0, %down : index
      %r1 = arith.addi %r0, %c1 : index
      %r2 = arith.addi %r0, %c2 : index
      %r3 = arith.addi %r0, %c3 : index
      %e0 = llvm.extractelement %sum[%i0 : i32] : vector<4xf32>
      %e1 = llvm.extractelement %sum[%i1 : i32] : vector<4xf32>
      %e2 = llvm.extractelement %sum[%i2 : i32] : vector<4xf32>
      %e3 = llvm.extractelement %sum[%i3 : i32] : vector<4xf32>
      memref.store %e0, %c[%r0, %col] : memref<64x64xf32>
      memref.store %e1, %c[%r1, %col] : memref<64x64xf32>
      memref.store %e2, %c[%r2, %col] : memref<64x64xf32>
      memref.store %e3, %c[%r3, %col] : memref<64x64xf32>
      gpu.return
    }
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c7 = arith.constant 7 : index
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
    gpu.launch_func @kernels::@matmul blocks in (%c4, %c4, %c1) threads in (%c64, %c1, %c1)
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
