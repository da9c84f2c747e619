// A 2x3x4 grid of 4x2x3 blocks: every thread adds one to a cell that only it
// has and stores the linear number of its cell, which shows threads that run twice,
// never or at a wrong place.
//
// RUN: %each_way gpu %s
// RUN: %if from-mlir-22 %{ env CHIP=gfx1030 WAVE=64 MGPU_SOFT_CHIP=gfx1030 %each_way gpu %s %}

func.func @number(%cell: memref<12x6x8xi32>, %visits: memref<12x6x8xi32>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c6 = arith.constant 6 : index
  %one = arith.constant 1 : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c3, %gz = %c4)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c2, %sz = %c3) {
    %x0 = arith.muli %bx, %sx : index
    %x = arith.addi %x0, %tx : index
    %y0 = arith.muli %by, %sy : index
    %y = arith.addi %y0, %ty : index
    %z0 = arith.muli %bz, %sz : index
    %z = arith.addi %z0, %tz : index
    %n0 = arith.muli %z, %c6 : index
    %n1 = arith.addi %n0, %y : index
    %n2 = arith.muli %n1, %c8 : index
    %n3 = arith.addi %n2, %x : index
    %n = arith.index_cast %n3 : index to i32
    memref.store %n, %cell[%z, %y, %x] : memref<12x6x8xi32>
    %old = memref.load %visits[%z, %y, %x] : memref<12x6x8xi32>
    %new = arith.addi %old, %one : i32
    memref.store %new, %visits[%z, %y, %x] : memref<12x6x8xi32>
    gpu.terminator
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %cell = memref.alloc() : memref<12x6x8xi32>
  %visits = memref.alloc() : memref<12x6x8xi32>
  scf.for %z = %c0 to %c12 step %c1 {
    scf.for %y = %c0 to %c6 step %c1 {
      scf.for %x = %c0 to %c8 step %c1 {
        memref.store %minus, %cell[%z, %y, %x] : memref<12x6x8xi32>
        memref.store %zero, %visits[%z, %y, %x] : memref<12x6x8xi32>
      }
    }
  }
  func.call @number(%cell, %visits) : (memref<12x6x8xi32>, memref<12x6x8xi32>) -> ()
  %wrong, %last = scf.for %z = %c0 to %c12 step %c1 iter_args(%wz = %zero, %nz = %zero) -> (i32, i32) {
    %plane:2 = scf.for %y = %c0 to %c6 step %c1 iter_args(%wy = %wz, %ny = %nz) -> (i32, i32) {
      %row:2 = scf.for %x = %c0 to %c8 step %c1 iter_args(%w = %wy, %n = %ny) -> (i32, i32) {
        %got = memref.load %cell[%z, %y, %x] : memref<12x6x8xi32>
        %times = memref.load %visits[%z, %y, %x] : memref<12x6x8xi32>
        %elsewhere = arith.cmpi ne, %got, %n : i32
        %not_once = arith.cmpi ne, %times, %one : i32
        %bad = arith.ori %elsewhere, %not_once : i1
        %more = arith.addi %w, %one : i32
        %next = arith.select %bad, %more, %w : i32
        %following = arith.addi %n, %one : i32
        scf.yield %next, %following : i32, i32
      }
      scf.yield %row#0, %row#1 : i32, i32
    }
    scf.yield %plane#0, %plane#1 : i32, i32
  }
  %most = arith.constant 255 : i32
  %status = arith.minui %wrong, %most : i32
  return %status : i32
}
