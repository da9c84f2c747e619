// near
// Softmax of rows of doubles.
func.func @softmax_f64(%a: memref<5x20xf64>, %out: memref<5x20xf64>) attributes {llvm.emit_c_interface} {
  %lo = arith.constant 0xFFF0000000000000 : f64
  %zero = arith.constant 0.0 : f64
  %top = memref.alloc() : memref<5xf64>
  %sum = memref.alloc() : memref<5xf64>
  linalg.fill ins(%lo : f64) outs(%top : memref<5xf64>)
  linalg.fill ins(%zero : f64) outs(%sum : memref<5xf64>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<5x20xf64>)
      outs(%top : memref<5xf64>) {
    ^bb0(%x0: f64, %o0: f64):
      %m = arith.maximumf %x0, %o0 : f64
      linalg.yield %m : f64
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %top : memref<5x20xf64>, memref<5xf64>)
      outs(%out : memref<5x20xf64>) {
    ^bb0(%x0: f64, %x1: f64, %o0: f64):
      %d = arith.subf %x0, %x1 : f64
      %e = math.exp %d : f64
      linalg.yield %e : f64
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%out : memref<5x20xf64>)
      outs(%sum : memref<5xf64>) {
    ^bb0(%x0: f64, %o0: f64):
      %m = arith.addf %x0, %o0 : f64
      linalg.yield %m : f64
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<5xf64>)
      outs(%out : memref<5x20xf64>) {
    ^bb0(%x0: f64, %o0: f64):
      %y = arith.divf %o0, %x0 : f64
      linalg.yield %y : f64
  }
  memref.dealloc %top : memref<5xf64>
  memref.dealloc %sum : memref<5xf64>
  return
}
