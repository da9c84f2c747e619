// linalg.matmul on 24x40 by 40x32 matrices whose sums round: on the GPU, plain
// and tiled, every bit is what the same source gives as loops on the host.
//
// RUN: %each_way linalg %s > %t.linalg
// RUN: %each_way tiled %s > %t.tiled
// RUN: %on_host %s > %t.host
// RUN: cmp %t.linalg %t.host
// RUN: cmp %t.tiled %t.host
// RUN: FileCheck %s < %t.host
// CHECK: sizes = [768]

func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

func.func @matmul(%a: memref<24x40xf32>, %b: memref<40x32xf32>, %c: memref<24x32xf32>) attributes {noinline} {
  linalg.matmul ins(%a, %b : memref<24x40xf32>, memref<40x32xf32>) outs(%c : memref<24x32xf32>)
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 24 : index
  %inner = arith.constant 40 : index
  %cols = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %third = arith.constant 0.333333343 : f32
  %tenth = arith.constant -0.1 : f32
  %a = memref.alloc() : memref<24x40xf32>
  %b = memref.alloc() : memref<40x32xf32>
  %c = memref.alloc() : memref<24x32xf32>
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %k = %c0 to %inner step %c1 {
      %s = arith.addi %i, %k : index
      %n = arith.index_cast %s : index to i32
      %f = arith.sitofp %n : i32 to f32
      %v = arith.mulf %f, %third : f32
      memref.store %v, %a[%i, %k] : memref<24x40xf32>
    }
  }
  scf.for %k = %c0 to %inner step %c1 {
    scf.for %j = %c0 to %cols step %c1 {
      %p = arith.muli %k, %j : index
      %n = arith.index_cast %p : index to i32
      %f = arith.sitofp %n : i32 to f32
      %v = arith.mulf %f, %tenth : f32
      memref.store %v, %b[%k, %j] : memref<40x32xf32>
    }
  }
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %cols step %c1 {
      memref.store %zero, %c[%i, %j] : memref<24x32xf32>
    }
  }
  func.call @matmul(%a, %b, %c) : (memref<24x40xf32>, memref<40x32xf32>, memref<24x32xf32>) -> ()

  %bits = memref.alloc() : memref<768xi32>
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %cols step %c1 {
      %v = memref.load %c[%i, %j] : memref<24x32xf32>
      %w = arith.bitcast %v : f32 to i32
      %r = arith.muli %i, %cols : index
      %at = arith.addi %r, %j : index
      memref.store %w, %bits[%at] : memref<768xi32>
    }
  }
  %print = memref.cast %bits : memref<768xi32> to memref<*xi32>
  func.call @printMemrefI32(%print) : (memref<*xi32>) -> ()
  %ok = arith.constant 0 : i32
  return %ok : i32
}
