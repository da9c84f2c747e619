// A product of rank one, added.
func.func @outer_product(%a: memref<14xf64>, %b: memref<9xf64>, %out: memref<14x9xf64>) attributes {llvm.emit_c_interface} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<14xf64>, memref<9xf64>)
      outs(%out : memref<14x9xf64>) {
    ^bb0(%x0: f64, %x1: f64, %o0: f64):
      %p = arith.mulf %x0, %x1 : f64
      %v = arith.addf %p, %o0 : f64
      linalg.yield %v : f64
  }
  return
}
