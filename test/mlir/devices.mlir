// The same kernel on two devices in turn: LLVM 21 and later load its module once, in a
// constructor, and nevertheless it is there on each device that launches it. The result
// is the count of wrong elements. Without the cache it is stock's: the first device only.
//
// RUN: env MGPU_SOFT_DEVICES=2 UNCACHED=no %each_way gpu %s

func.func @add(%by: f32, %a: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 64 : index
  gpu.launch blocks(%bx, %by0, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %x = memref.load %a[%tx] : memref<64xf32>
    %y = arith.addf %x, %by : f32
    memref.store %y, %a[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %turns = arith.constant 6 : index
  %n = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : i32
  %none = arith.constant 0 : i32
  %a = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %a[%i] : memref<64xf32>
  }
  // 1 + 2 + ... + 6
  scf.for %turn = %c0 to %turns step %c1 {
    %k = arith.index_cast %turn : index to i32
    %device = arith.andi %k, %one : i32
    gpu.set_default_device %device
    %next = arith.addi %k, %one : i32
    %by = arith.sitofp %next : i32 to f32
    func.call @add(%by, %a) : (f32, memref<64xf32>) -> ()
  }
  %want = arith.constant 21.0 : f32
  %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%w = %none) -> (i32) {
    %got = memref.load %a[%i] : memref<64xf32>
    %bad = arith.cmpf une, %got, %want : f32
    %more = arith.addi %w, %one : i32
    %sum = arith.select %bad, %more, %w : i32
    scf.yield %sum : i32
  }
  return %wrong : i32
}
