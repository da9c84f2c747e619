// near
// The Gaussian error unit.
func.func @gelu(%a: memref<17x9xf32>, %out: memref<17x9xf32>) attributes {llvm.emit_c_interface} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<17x9xf32>)
      outs(%out : memref<17x9xf32>) {
    ^bb0(%x0: f32, %o0: f32):
      %half = arith.constant 0.5 : f32
      %one = arith.constant 1.0 : f32
      %root = arith.constant 0.70710678 : f32
      %s = arith.mulf %x0, %root : f32
      %e = math.erf %s : f32
      %p = arith.addf %e, %one : f32
      %h = arith.mulf %x0, %half : f32
      %v = arith.mulf %h, %p : f32
      linalg.yield %v : f32
  }
  return
}
