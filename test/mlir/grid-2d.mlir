// Every thread of a 3x2 grid of 8x4 blocks writes its own coordinates, and the
// sizes that it sees. MLIR 16 lowers gpu.grid_dim to the grid's size in threads.
//
// RUN: %each_way gpu %s | FileCheck %s --check-prefix=SIZES-%release
// SIZES-22: [3,  2,  8,  4]
// SIZES-19: [3,  2,  8,  4]
// SIZES-16: [24,  8,  8,  4]

func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

func.func @coordinates(%out: memref<8x24xi32>, %sizes: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %ten = arith.constant 10 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c3, %gy = %c2, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c4, %sz = %c1) {
    %x0 = arith.muli %bx, %sx : index
    %x = arith.addi %x0, %tx : index
    %y0 = arith.muli %by, %sy : index
    %y = arith.addi %y0, %ty : index
    // The digits: block y, thread x, thread y.
    %d0 = arith.muli %by, %ten : index
    %d1 = arith.addi %d0, %tx : index
    %d2 = arith.muli %d1, %ten : index
    %d3 = arith.addi %d2, %ty : index
    %v = arith.index_cast %d3 : index to i32
    memref.store %v, %out[%y, %x] : memref<8x24xi32>
    %gx32 = arith.index_cast %gx : index to i32
    %gy32 = arith.index_cast %gy : index to i32
    %sx32 = arith.index_cast %sx : index to i32
    %sy32 = arith.index_cast %sy : index to i32
    memref.store %gx32, %sizes[%c0] : memref<4xi32>
    memref.store %gy32, %sizes[%c1] : memref<4xi32>
    memref.store %sx32, %sizes[%c2] : memref<4xi32>
    memref.store %sy32, %sizes[%c3] : memref<4xi32>
    gpu.terminator
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c24 = arith.constant 24 : index
  %ten = arith.constant 10 : index
  %hundred = arith.constant 100 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %out = memref.alloc() : memref<8x24xi32>
  %sizes = memref.alloc() : memref<4xi32>
  func.call @coordinates(%out, %sizes) : (memref<8x24xi32>, memref<4xi32>) -> ()
  %print = memref.cast %sizes : memref<4xi32> to memref<*xi32>
  func.call @printMemrefI32(%print) : (memref<*xi32>) -> ()
  %wrong = scf.for %y = %c0 to %c8 step %c1 iter_args(%wy = %zero) -> (i32) {
    %row = scf.for %x = %c0 to %c24 step %c1 iter_args(%w = %wy) -> (i32) {
      %by = arith.divui %y, %c4 : index
      %ty = arith.remui %y, %c4 : index
      %tx = arith.remui %x, %c8 : index
      %a = arith.muli %by, %hundred : index
      %b = arith.muli %tx, %ten : index
      %s0 = arith.addi %a, %b : index
      %s1 = arith.addi %s0, %ty : index
      %want = arith.index_cast %s1 : index to i32
      %got = memref.load %out[%y, %x] : memref<8x24xi32>
      %bad = arith.cmpi ne, %got, %want : i32
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
