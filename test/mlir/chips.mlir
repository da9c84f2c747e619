// The same program on the chips that have accumulators: packed work-item ids,
// packed arithmetic, atomics on floats, private memory, shuffles and workgroup
// memory. main returns how many results are wrong.
//
// REQUIRES: from-mlir-19
// RUN: env CHIP=gfx908 %lower gpu %s %t.908.mlir
// RUN: %link %t.908.mlir %t.908
// RUN: env MGPU_SOFT_CHIP=gfx908 %t.908
// RUN: env CHIP=gfx90a MGPU_SOFT_CHIP=gfx90a:sramecc+:xnack- %each_way gpu %s
// RUN: env CHIP=gfx942 %lower gpu %s %t.942.mlir
// RUN: %link %t.942.mlir %t.942
// RUN: env MGPU_SOFT_CHIP=gfx942 %t.942
// RUN: %if from-mlir-22 %{ env CHIP=gfx950 %lower gpu %s %t.950.mlir %}
// RUN: %if from-mlir-22 %{ %link %t.950.mlir %t.950 %}
// RUN: %if from-mlir-22 %{ env MGPU_SOFT_CHIP=gfx950 %t.950 %}

// Blocks of 8x4x2 threads: each writes what its three ids make, plus what it
// finds in private memory, and adds to sums.
func.func @run(%ids: memref<128xi32>, %pairs: memref<256xf32>, %sum32: memref<1xf32>, %sum64: memref<1xf64>, %total: memref<2xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c4, %sz = %c2)
             workgroup(%shared : memref<64xi32, #gpu.address_space<workgroup>>)
             private(%own : memref<96xi32, #gpu.address_space<private>>) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k8 = arith.constant 8 : index
    %k32 = arith.constant 32 : index
    %k64 = arith.constant 64 : index
    %row = arith.muli %ty, %k8 : index
    %plane = arith.muli %tz, %k32 : index
    %xy = arith.addi %tx, %row : index
    %item = arith.addi %xy, %plane : index
    %first = arith.muli %bx, %k64 : index
    %i = arith.addi %first, %item : index
    %n = arith.index_cast %i : index to i32

    // Private memory that no register can hold: the index is known at run time only.
    %k96 = arith.constant 96 : index
    scf.for %p = %k0 to %k96 step %k1 {
      %p32 = arith.index_cast %p : index to i32
      %square = arith.muli %p32, %p32 : i32
      memref.store %square, %own[%p] : memref<96xi32, #gpu.address_space<private>>
    }
    %mine = memref.load %own[%tx] : memref<96xi32, #gpu.address_space<private>>
    %id = arith.addi %n, %mine : i32
    memref.store %id, %ids[%i] : memref<128xi32>

    // Two singles at a time.
    %two_i = arith.muli %i, %k2 : index
    %f = arith.sitofp %n : i32 to f32
    %half = arith.constant 0.5 : f32
    %g = arith.mulf %f, %half : f32
    %v = vector.from_elements %f, %g : vector<2xf32>
    %w = arith.constant dense<[3.0, 4.0]> : vector<2xf32>
    %vw = arith.mulf %v, %w : vector<2xf32>
    %vv = arith.addf %vw, %v : vector<2xf32>
    %vvv = vector.fma %vv, %w, %v : vector<2xf32>
    vector.store %vvv, %pairs[%two_i] : memref<256xf32>, vector<2xf32>

    // Sums of floats at one place, of all threads.
    %old32 = memref.atomic_rmw addf %f, %sum32[%k0] : (f32, memref<1xf32>) -> f32
    %d = arith.extf %g : f32 to f64
    %old64 = memref.atomic_rmw addf %d, %sum64[%k0] : (f64, memref<1xf64>) -> f64

    // The block's sum, by a butterfly and through workgroup memory.
    %width = arith.constant 64 : i32
    %o32 = arith.constant 32 : i32
    %s, %ok = gpu.shuffle xor %n, %o32, %width : i32
    %both = arith.addi %n, %s : i32
    memref.store %both, %shared[%item] : memref<64xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %zero = arith.cmpi eq, %item, %k0 : index
    scf.if %zero {
      %z = arith.constant 0 : i32
      %all = scf.for %q = %k0 to %k64 step %k1 iter_args(%sum = %z) -> i32 {
        %x = memref.load %shared[%q] : memref<64xi32, #gpu.address_space<workgroup>>
        %next = arith.addi %sum, %x : i32
        scf.yield %next : i32
      }
      memref.store %all, %total[%bx] : memref<2xi32>
    }
    gpu.terminator
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %i0 = arith.constant 0 : i32
  %f0 = arith.constant 0.0 : f32
  %d0 = arith.constant 0.0 : f64
  %ids = memref.alloc() : memref<128xi32>
  %pairs = memref.alloc() : memref<256xf32>
  %sum32 = memref.alloc() : memref<1xf32>
  %sum64 = memref.alloc() : memref<1xf64>
  %total = memref.alloc() : memref<2xi32>
  memref.store %f0, %sum32[%c0] : memref<1xf32>
  memref.store %d0, %sum64[%c0] : memref<1xf64>
  func.call @run(%ids, %pairs, %sum32, %sum64, %total) : (memref<128xi32>, memref<256xf32>, memref<1xf32>, memref<1xf64>, memref<2xi32>) -> ()
  %wrong = scf.for %i = %c0 to %c128 step %c1 iter_args(%bad = %i0) -> i32 {
    %n = arith.index_cast %i : index to i32
    %x = arith.remui %i, %c8 : index
    %x32 = arith.index_cast %x : index to i32
    %square = arith.muli %x32, %x32 : i32
    %want = arith.addi %n, %square : i32
    %got = memref.load %ids[%i] : memref<128xi32>
    %differs = arith.cmpi ne, %got, %want : i32
    // f*3+f, then that times 3 plus f: 13 f; and 21 of its half with 4 for 3.
    %f = arith.sitofp %n : i32 to f32
    %k13 = arith.constant 13.0 : f32
    %k10h = arith.constant 10.5 : f32
    %want_lo = arith.mulf %f, %k13 : f32
    %want_hi = arith.mulf %f, %k10h : f32
    %at = arith.muli %i, %c2 : index
    %at1 = arith.addi %at, %c1 : index
    %lo = memref.load %pairs[%at] : memref<256xf32>
    %hi = memref.load %pairs[%at1] : memref<256xf32>
    %differs_lo = arith.cmpf une, %lo, %want_lo : f32
    %differs_hi = arith.cmpf une, %hi, %want_hi : f32
    %a = arith.ori %differs, %differs_lo : i1
    %b = arith.ori %a, %differs_hi : i1
    %e = arith.extui %b : i1 to i32
    %next = arith.addi %bad, %e : i32
    scf.yield %next : i32
  }
  %s32 = memref.load %sum32[%c0] : memref<1xf32>
  %s64 = memref.load %sum64[%c0] : memref<1xf64>
  %t0 = memref.load %total[%c0] : memref<2xi32>
  %t1 = memref.load %total[%c1] : memref<2xi32>
  %want32 = arith.constant 8128.0 : f32
  %want64 = arith.constant 4064.0 : f64
  %want0 = arith.constant 4032 : i32
  %want1 = arith.constant 12224 : i32
  %w32 = arith.cmpf une, %s32, %want32 : f32
  %w64 = arith.cmpf une, %s64, %want64 : f64
  %w0 = arith.cmpi ne, %t0, %want0 : i32
  %w1 = arith.cmpi ne, %t1, %want1 : i32
  %e32 = arith.extui %w32 : i1 to i32
  %e64 = arith.extui %w64 : i1 to i32
  %e0 = arith.extui %w0 : i1 to i32
  %e1 = arith.extui %w1 : i1 to i32
  %r1 = arith.addi %wrong, %e32 : i32
  %r2 = arith.addi %r1, %e64 : i32
  %r3 = arith.addi %r2, %e0 : i32
  %r4 = arith.addi %r3, %e1 : i32
  return %r4 : i32
}
