// near
// Softmax of rows.
func.func @softmax(%a: memref<9x33xf32>, %out: memref<9x33xf32>) attributes {llvm.emit_c_interface} {
  %lo = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %top = memref.alloc() : memref<9xf32>
  %sum = memref.alloc() : memref<9xf32>
  linalg.fill ins(%lo : f32) outs(%top : memref<9xf32>)
  linalg.fill ins(%zero : f32) outs(%sum : memref<9xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<9x33xf32>)
      outs(%top : memref<9xf32>) {
    ^bb0(%x0: f32, %o0: f32):
      %m = arith.maximumf %x0, %o0 : f32
      linalg.yield %m : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %top : memref<9x33xf32>, memref<9xf32>)
      outs(%out : memref<9x33xf32>) {
    ^bb0(%x0: f32, %x1: f32, %o0: f32):
      %d = arith.subf %x0, %x1 : f32
      %e = math.exp %d : f32
      linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%out : memref<9x33xf32>)
      outs(%sum : memref<9xf32>) {
    ^bb0(%x0: f32, %o0: f32):
      %m = arith.addf %x0, %o0 : f32
      linalg.yield %m : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<9xf32>)
      outs(%out : memref<9x33xf32>) {
    ^bb0(%x0: f32, %o0: f32):
      %y = arith.divf %o0, %x0 : f32
      linalg.yield %y : f32
  }
  memref.dealloc %top : memref<9xf32>
  memref.dealloc %sum : memref<9xf32>
  return
}
