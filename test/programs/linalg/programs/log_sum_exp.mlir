// near
// Logarithms of sums of exponentials, one after the other.
func.func @log_sum_exp(%a: memref<7x21xf64>, %out: memref<7xf64>) attributes {llvm.emit_c_interface} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<7x21xf64>)
      outs(%out : memref<7xf64>) {
    ^bb0(%x0: f64, %o0: f64):
      %hi = arith.maximumf %x0, %o0 : f64
      %lo = arith.minimumf %x0, %o0 : f64
      %d = arith.subf %lo, %hi : f64
      %e = math.exp %d : f64
      %l = math.log1p %e : f64
      %v = arith.addf %hi, %l : f64
      linalg.yield %v : f64
  }
  return
}
