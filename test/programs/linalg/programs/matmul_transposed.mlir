// Matrix product with the second matrix transposed.
func.func @matmul_transposed(%a0: memref<18x20xf32>, %a1: memref<15x20xf32>, %out: memref<18x15xf32>) attributes {llvm.emit_c_interface} {
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a0, %a1 : memref<18x20xf32>, memref<15x20xf32>)
    outs(%out : memref<18x15xf32>)
  return
}
