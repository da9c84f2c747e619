// A rectifier of bfloat16.
func.func @leaky_relu(%a: memref<10x10xbf16>, %out: memref<10x10xbf16>) attributes {llvm.emit_c_interface} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<10x10xbf16>)
      outs(%out : memref<10x10xbf16>) {
    ^bb0(%x0: bf16, %o0: bf16):
      %zero = arith.constant 0.0 : bf16
      %slope = arith.constant 0.1 : bf16
      %c = arith.cmpf oge, %x0, %zero : bf16
      %s = arith.mulf %x0, %slope : bf16
      %v = arith.select %c, %x0, %s : bf16
      linalg.yield %v : bf16
  }
  return
}
