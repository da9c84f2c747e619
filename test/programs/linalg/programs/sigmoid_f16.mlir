// near
// The logistic function of halves.
func.func @sigmoid_f16(%a: memref<100xf16>, %out: memref<100xf32>) attributes {llvm.emit_c_interface} {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%a : memref<100xf16>)
      outs(%out : memref<100xf32>) {
    ^bb0(%x0: f16, %o0: f32):
      %one = arith.constant 1.0 : f32
      %w = arith.extf %x0 : f16 to f32
      %n = arith.negf %w : f32
      %e = math.exp %n : f32
      %d = arith.addf %e, %one : f32
      %v = arith.divf %one, %d : f32
      linalg.yield %v : f32
  }
  return
}
