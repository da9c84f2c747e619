// near
// Attention with a causal mask.
func.func @attention(%q: memref<12x8xf32>, %k: memref<10x8xf32>, %v: memref<10x6xf32>, %out: memref<12x6xf32>) attributes {llvm.emit_c_interface} {
  %zero = arith.constant 0.0 : f32
  %scores = memref.alloc() : memref<12x10xf32>
  %weights = memref.alloc() : memref<12x10xf32>
  linalg.fill ins(%zero : f32) outs(%scores : memref<12x10xf32>)
  linalg.fill ins(%zero : f32) outs(%out : memref<12x6xf32>)
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%q, %k : memref<12x8xf32>, memref<10x8xf32>)
    outs(%scores : memref<12x10xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      outs(%scores : memref<12x10xf32>) {
    ^bb0(%o0: f32):
      %scale = arith.constant 0.35355338 : f32
      %low = arith.constant -1.0e+9 : f32
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %seen = arith.cmpi ule, %j, %i : index
      %s = arith.mulf %o0, %scale : f32
      %m = arith.select %seen, %s, %low : f32
      linalg.yield %m : f32
  }
  %slo = arith.constant 0xFF800000 : f32
  %szero = arith.constant 0.0 : f32
  %stop = memref.alloc() : memref<12xf32>
  %ssum = memref.alloc() : memref<12xf32>
  linalg.fill ins(%slo : f32) outs(%stop : memref<12xf32>)
  linalg.fill ins(%szero : f32) outs(%ssum : memref<12xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%scores : memref<12x10xf32>)
      outs(%stop : memref<12xf32>) {
    ^bb0(%x0: f32, %o0: f32):
      %m = arith.maximumf %x0, %o0 : f32
      linalg.yield %m : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%scores, %stop : memref<12x10xf32>, memref<12xf32>)
      outs(%weights : memref<12x10xf32>) {
    ^bb0(%x0: f32, %x1: f32, %o0: f32):
      %d = arith.subf %x0, %x1 : f32
      %e = math.exp %d : f32
      linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%weights : memref<12x10xf32>)
      outs(%ssum : memref<12xf32>) {
    ^bb0(%x0: f32, %o0: f32):
      %m = arith.addf %x0, %o0 : f32
      linalg.yield %m : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%ssum : memref<12xf32>)
      outs(%weights : memref<12x10xf32>) {
    ^bb0(%x0: f32, %o0: f32):
      %y = arith.divf %o0, %x0 : f32
      linalg.yield %y : f32
  }
  memref.dealloc %stop : memref<12xf32>
  memref.dealloc %ssum : memref<12xf32>
  linalg.matmul ins(%weights, %v : memref<12x10xf32>, memref<10x6xf32>) outs(%out : memref<12x6xf32>)
  memref.dealloc %scores : memref<12x10xf32>
  memref.dealloc %weights : memref<12x10xf32>
  return
}
