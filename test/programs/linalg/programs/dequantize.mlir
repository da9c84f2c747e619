// Bytes to halves, a scale per column.
func.func @dequantize(%a: memref<12x10xi8>, %scale: memref<10xf32>, %out: memref<12x10xf16>) attributes {llvm.emit_c_interface} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %scale : memref<12x10xi8>, memref<10xf32>)
      outs(%out : memref<12x10xf16>) {
    ^bb0(%x0: i8, %x1: f32, %o0: f16):
      %w = arith.sitofp %x0 : i8 to f32
      %p = arith.mulf %w, %x1 : f32
      %zero = arith.constant 0.0 : f32
      %q = arith.addf %p, %zero : f32 // no -0: LLVM 22 narrows products with v_fma_mixlo_f16, which adds 0
      %v = arith.truncf %q : f32 to f16
      linalg.yield %v : f16
  }
  return
}
