// near
// Rows divided by the root of their mean square.
func.func @rmsnorm(%a: memref<8x30xf32>, %gain: memref<30xf32>, %out: memref<8x30xf32>) attributes {llvm.emit_c_interface} {
  %zero = arith.constant 0.0 : f32
  %mean = memref.alloc() : memref<8xf32>
  %spread = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%mean : memref<8xf32>)
  linalg.fill ins(%zero : f32) outs(%spread : memref<8xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%a, %mean : memref<8x30xf32>, memref<8xf32>)
      outs(%spread : memref<8xf32>) {
    ^bb0(%x0: f32, %x1: f32, %o0: f32):
      %n = arith.constant 30.0 : f32
      %d = arith.subf %x0, %x1 : f32
      %d2 = arith.mulf %d, %d : f32
      %q = arith.divf %d2, %n : f32
      %s = arith.addf %q, %o0 : f32
      linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %mean, %spread, %gain : memref<8x30xf32>, memref<8xf32>, memref<8xf32>, memref<30xf32>)
      outs(%out : memref<8x30xf32>) {
    ^bb0(%x0: f32, %x1: f32, %x2: f32, %x3: f32, %o0: f32):
      %eps = arith.constant 1.0e-5 : f32
      %v = arith.addf %x2, %eps : f32
      %r = math.rsqrt %v : f32
      %d = arith.subf %x0, %x1 : f32
      %y = arith.mulf %d, %r : f32
      %z = arith.mulf %y, %x3 : f32
      linalg.yield %z : f32
  }
  memref.dealloc %mean : memref<8xf32>
  memref.dealloc %spread : memref<8xf32>
  return
}
