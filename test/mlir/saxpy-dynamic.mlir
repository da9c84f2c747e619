// y = 2.5 x + y, the length known only at run time: lengths around a block's
// 256 threads. Elements past the end must stay as they were.
//
// RUN: %each_way gpu %s | FileCheck %s
// CHECK: sizes = [7]
// CHECK-NEXT: [0,  0,  0,  0,  0,  0,  0]

func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

func.func @saxpy(%k: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %threads = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %threads : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %first = arith.muli %bx, %sx : index
    %i = arith.addi %first, %tx : index
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %xi = memref.load %x[%i] : memref<?xf32>
      %yi = memref.load %y[%i] : memref<?xf32>
      %p = arith.mulf %k, %xi : f32
      %s = arith.addf %p, %yi : f32
      memref.store %s, %y[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}

// Runs one length; the elements after it must stay as they were.
func.func @wrong_of(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %guard = arith.constant 8 : index
  %k = arith.constant 2.5 : f32
  %seven = arith.constant 7.0 : f32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %all = arith.addi %n, %guard : index
  %x = memref.alloc(%all) : memref<?xf32>
  %y = memref.alloc(%all) : memref<?xf32>
  scf.for %i = %c0 to %all step %c1 {
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    memref.store %f, %x[%i] : memref<?xf32>
    memref.store %seven, %y[%i] : memref<?xf32>
  }
  %xs = memref.subview %x[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  %ys = memref.subview %y[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  %xn = memref.cast %xs : memref<?xf32, strided<[1]>> to memref<?xf32>
  %yn = memref.cast %ys : memref<?xf32, strided<[1]>> to memref<?xf32>
  func.call @saxpy(%k, %xn, %yn) : (f32, memref<?xf32>, memref<?xf32>) -> ()
  %wrong = scf.for %i = %c0 to %all step %c1 iter_args(%w = %zero) -> (i32) {
    %f = memref.load %x[%i] : memref<?xf32>
    %p = arith.mulf %k, %f : f32
    %s = arith.addf %p, %seven : f32
    %inside = arith.cmpi ult, %i, %n : index
    %want = arith.select %inside, %s, %seven : f32
    %got = memref.load %y[%i] : memref<?xf32>
    %bad = arith.cmpf une, %got, %want : f32
    %more = arith.addi %w, %one : i32
    %next = arith.select %bad, %more, %w : i32
    scf.yield %next : i32
  }
  memref.dealloc %x : memref<?xf32>
  memref.dealloc %y : memref<?xf32>
  return %wrong : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.constant 7 : index
  %zero = arith.constant 0 : i32
  %lengths = memref.alloc() : memref<7xindex>
  %n0 = arith.constant 1 : index
  %n1 = arith.constant 255 : index
  %n2 = arith.constant 256 : index
  %n3 = arith.constant 257 : index
  %n4 = arith.constant 1000 : index
  %n5 = arith.constant 4096 : index
  %n6 = arith.constant 5003 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %i4 = arith.constant 4 : index
  %i5 = arith.constant 5 : index
  %i6 = arith.constant 6 : index
  memref.store %n0, %lengths[%c0] : memref<7xindex>
  memref.store %n1, %lengths[%c1] : memref<7xindex>
  memref.store %n2, %lengths[%i2] : memref<7xindex>
  memref.store %n3, %lengths[%i3] : memref<7xindex>
  memref.store %n4, %lengths[%i4] : memref<7xindex>
  memref.store %n5, %lengths[%i5] : memref<7xindex>
  memref.store %n6, %lengths[%i6] : memref<7xindex>
  %wrong = memref.alloc() : memref<7xi32>
  %sum = scf.for %i = %c0 to %count step %c1 iter_args(%s = %zero) -> (i32) {
    %n = memref.load %lengths[%i] : memref<7xindex>
    %w = func.call @wrong_of(%n) : (index) -> i32
    memref.store %w, %wrong[%i] : memref<7xi32>
    %next = arith.addi %s, %w : i32
    scf.yield %next : i32
  }
  %print = memref.cast %wrong : memref<7xi32> to memref<*xi32>
  func.call @printMemrefI32(%print) : (memref<*xi32>) -> ()
  %most = arith.constant 255 : i32
  %status = arith.minui %sum, %most : i32
  return %status : i32
}
