// Forty launches, each of which reads what the one before wrote: the kernel
// takes every element's right neighbour and adds one. Two buffers in turn.
//
// RUN: %each_way gpu %s

func.func @shift(%from: memref<300xi32>, %to: memref<300xi32>) attributes {noinline} {
  %c1 = arith.constant 1 : index
  %n = arith.constant 300 : index
  %blocks = arith.constant 10 : index
  %threads = arith.constant 30 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %one = arith.constant 1 : i32
    %first = arith.muli %bx, %sx : index
    %i = arith.addi %first, %tx : index
    %j0 = arith.addi %i, %c1 : index
    %j = arith.remui %j0, %n : index
    %v = memref.load %from[%j] : memref<300xi32>
    %w = arith.addi %v, %one : i32
    memref.store %w, %to[%i] : memref<300xi32>
    gpu.terminator
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rounds = arith.constant 20 : index
  %launches = arith.constant 40 : index
  %n = arith.constant 300 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<300xi32>
  %b = memref.alloc() : memref<300xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %a[%i] : memref<300xi32>
  }
  scf.for %r = %c0 to %rounds step %c1 {
    func.call @shift(%a, %b) : (memref<300xi32>, memref<300xi32>) -> ()
    func.call @shift(%b, %a) : (memref<300xi32>, memref<300xi32>) -> ()
  }
  %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%w = %zero) -> (i32) {
    %j = arith.addi %i, %launches : index
    %k = arith.remui %j, %n : index
    %s = arith.addi %k, %launches : index
    %want = arith.index_cast %s : index to i32
    %got = memref.load %a[%i] : memref<300xi32>
    %bad = arith.cmpi ne, %got, %want : i32
    %more = arith.addi %w, %one : i32
    %next = arith.select %bad, %more, %w : i32
    scf.yield %next : i32
  }
  %most = arith.constant 255 : i32
  %status = arith.minui %wrong, %most : i32
  return %status : i32
}
