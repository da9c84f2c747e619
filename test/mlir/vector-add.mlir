// c = a + b over 1000 elements: four blocks of 256 threads, the last one cut
// short by a bounds check. The result is the count of wrong elements.
//
// RUN: %each_way gpu %s
// RUN: %if from-mlir-22 %{ env CHIP=gfx1030 MGPU_SOFT_CHIP=gfx1030 %each_way gpu %s %}

func.func @add(%a: memref<1000xf32>, %b: memref<1000xf32>, %c: memref<1000xf32>) {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 4 : index
  %threads = arith.constant 256 : index
  %n = arith.constant 1000 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %first = arith.muli %bx, %sx : index
    %i = arith.addi %first, %tx : index
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %x = memref.load %a[%i] : memref<1000xf32>
      %y = memref.load %b[%i] : memref<1000xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %c[%i] : memref<1000xf32>
    }
    gpu.terminator
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %half = arith.constant 0.5 : f32
  %threehalves = arith.constant 1.5 : f32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<1000xf32>
  %b = memref.alloc() : memref<1000xf32>
  %c = memref.alloc() : memref<1000xf32>
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i32
    %x = arith.sitofp %k : i32 to f32
    %y = arith.mulf %x, %half : f32
    memref.store %x, %a[%i] : memref<1000xf32>
    memref.store %y, %b[%i] : memref<1000xf32>
  }
  func.call @add(%a, %b, %c) : (memref<1000xf32>, memref<1000xf32>, memref<1000xf32>) -> ()

  %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%w = %zero) -> (i32) {
    %k = arith.index_cast %i : index to i32
    %x = arith.sitofp %k : i32 to f32
    %want = arith.mulf %x, %threehalves : f32
    %got = memref.load %c[%i] : memref<1000xf32>
    %bad = arith.cmpf une, %got, %want : f32
    %more = arith.addi %w, %one : i32
    %next = arith.select %bad, %more, %w : i32
    scf.yield %next : i32
  }
  %most = arith.constant 255 : i32
  %status = arith.minui %wrong, %most : i32
  return %status : i32
}
