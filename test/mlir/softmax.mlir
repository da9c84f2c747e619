// softmax over the rows of a 16x24 matrix, with exp from the device libraries.
// The host's exp may round otherwise: each element may be off by one part in
// 100,000.
//
// RUN: %each_way gpu %s
// RUN: %if from-mlir-22 %{ env CHIP=gfx1100 MGPU_SOFT_CHIP=gfx1100 %each_way gpu %s %}

func.func @softmax(%in: memref<16x24xf32>, %out: memref<16x24xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 16 : index
  %cols = arith.constant 24 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %rows, %sy = %c1, %sz = %c1) {
    %zero = arith.constant 0.0 : f32
    %first = memref.load %in[%tx, %c0] : memref<16x24xf32>
    %max = scf.for %j = %c0 to %cols step %c1 iter_args(%m = %first) -> (f32) {
      %v = memref.load %in[%tx, %j] : memref<16x24xf32>
      %above = arith.cmpf ogt, %v, %m : f32
      %next = arith.select %above, %v, %m : f32
      scf.yield %next : f32
    }
    %sum = scf.for %j = %c0 to %cols step %c1 iter_args(%s = %zero) -> (f32) {
      %v = memref.load %in[%tx, %j] : memref<16x24xf32>
      %d = arith.subf %v, %max : f32
      %e = math.exp %d : f32
      memref.store %e, %out[%tx, %j] : memref<16x24xf32>
      %next = arith.addf %s, %e : f32
      scf.yield %next : f32
    }
    scf.for %j = %c0 to %cols step %c1 {
      %e = memref.load %out[%tx, %j] : memref<16x24xf32>
      %q = arith.divf %e, %sum : f32
      memref.store %q, %out[%tx, %j] : memref<16x24xf32>
    }
    gpu.terminator
  }
  return
}

func.func private @expf(f32) -> f32

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 16 : index
  %cols = arith.constant 24 : index
  %seven = arith.constant 7 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %fzero = arith.constant 0.0 : f32
  %step = arith.constant 0.37 : f32
  %low = arith.constant 0.99999 : f32
  %high = arith.constant 1.00001 : f32
  %in = memref.alloc() : memref<16x24xf32>
  %out = memref.alloc() : memref<16x24xf32>
  // Up to row number + 7: no overflow, so the host need not look for the maximum.
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %cols step %c1 {
      %p = arith.muli %i, %j : index
      %m = arith.remui %p, %seven : index
      %s = arith.addi %m, %i : index
      %n = arith.index_cast %s : index to i32
      %f = arith.sitofp %n : i32 to f32
      %v = arith.mulf %f, %step : f32
      memref.store %v, %in[%i, %j] : memref<16x24xf32>
    }
  }
  func.call @softmax(%in, %out) : (memref<16x24xf32>, memref<16x24xf32>) -> ()
  %wrong = scf.for %i = %c0 to %rows step %c1 iter_args(%wi = %zero) -> (i32) {
    %sum = scf.for %j = %c0 to %cols step %c1 iter_args(%s = %fzero) -> (f32) {
      %v = memref.load %in[%i, %j] : memref<16x24xf32>
      %e = func.call @expf(%v) : (f32) -> f32
      %next = arith.addf %s, %e : f32
      scf.yield %next : f32
    }
    %row = scf.for %j = %c0 to %cols step %c1 iter_args(%w = %wi) -> (i32) {
      %v = memref.load %in[%i, %j] : memref<16x24xf32>
      %e = func.call @expf(%v) : (f32) -> f32
      %want = arith.divf %e, %sum : f32
      %got = memref.load %out[%i, %j] : memref<16x24xf32>
      %least = arith.mulf %want, %low : f32
      %most = arith.mulf %want, %high : f32
      // Unordered: a NaN is wrong too.
      %below = arith.cmpf ult, %got, %least : f32
      %above = arith.cmpf ugt, %got, %most : f32
      %bad = arith.ori %below, %above : i1
      %more = arith.addi %w, %one : i32
      %next = arith.select %bad, %more, %w : i32
      scf.yield %next : i32
    }
    scf.yield %row : i32
  }
  %at_most = arith.constant 255 : i32
  %status = arith.minui %wrong, %at_most : i32
  return %status : i32
}
