// A chain of elementwise operations on tensors, (x * y + x) / (max(y, 0) + 0.7),
// which linalg fuses to one kernel: launched once, and every bit is what the
// same source gives as loops on the host.
//
// RUN: %each_way linalg %s > %t.linalg
// RUN: %on_host %s > %t.host
// RUN: cmp %t.linalg %t.host
// RUN: env MGPU_STATS=1 %t.linked.exe 2>&1 | FileCheck %s
// CHECK: sizes = [500]
// CHECK: mgpuLaunchKernel 1 1

#id = affine_map<(i) -> (i)>

func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

func.func @chain(%x: tensor<500xf32>, %y: tensor<500xf32>) -> tensor<500xf32> attributes {noinline} {
  %e = tensor.empty() : tensor<500xf32>
  %xy = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<500xf32>, tensor<500xf32>) outs(%e : tensor<500xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %r = arith.mulf %u, %v : f32
    linalg.yield %r : f32
  } -> tensor<500xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%xy, %x : tensor<500xf32>, tensor<500xf32>) outs(%e : tensor<500xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %r = arith.addf %u, %v : f32
    linalg.yield %r : f32
  } -> tensor<500xf32>
  %low = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%y : tensor<500xf32>) outs(%e : tensor<500xf32>) {
  ^bb0(%u: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %most = arith.constant 0.7 : f32
    %above = arith.cmpf ogt, %u, %zero : f32
    %m = arith.select %above, %u, %zero : f32
    %r = arith.addf %m, %most : f32
    linalg.yield %r : f32
  } -> tensor<500xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%sum, %low : tensor<500xf32>, tensor<500xf32>) outs(%e : tensor<500xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %r = arith.divf %u, %v : f32
    linalg.yield %r : f32
  } -> tensor<500xf32>
  return %q : tensor<500xf32>
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 500 : index
  %third = arith.constant 0.333333343 : f32
  %small = arith.constant 0.0123 : f32
  %three = arith.constant 3.0 : f32
  %e = tensor.empty() : tensor<500xf32>
  %x = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e) -> (tensor<500xf32>) {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %v = arith.mulf %f, %third : f32
    %next = tensor.insert %v into %t[%i] : tensor<500xf32>
    scf.yield %next : tensor<500xf32>
  }
  %e2 = tensor.empty() : tensor<500xf32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e2) -> (tensor<500xf32>) {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %s = arith.mulf %f, %small : f32
    %v = arith.subf %s, %three : f32
    %next = tensor.insert %v into %t[%i] : tensor<500xf32>
    scf.yield %next : tensor<500xf32>
  }
  %z = func.call @chain(%x, %y) : (tensor<500xf32>, tensor<500xf32>) -> tensor<500xf32>

  %bits = memref.alloc() : memref<500xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = tensor.extract %z[%i] : tensor<500xf32>
    %w = arith.bitcast %v : f32 to i32
    memref.store %w, %bits[%i] : memref<500xi32>
  }
  %print = memref.cast %bits : memref<500xi32> to memref<*xi32>
  func.call @printMemrefI32(%print) : (memref<*xi32>) -> ()
  %ok = arith.constant 0 : i32
  return %ok : i32
}
