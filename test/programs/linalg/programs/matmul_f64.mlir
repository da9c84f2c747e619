// Matrix product of doubles.
func.func @matmul_f64(%a0: memref<16x24xf64>, %a1: memref<24x12xf64>, %out: memref<16x12xf64>) attributes {llvm.emit_c_interface} {
  linalg.matmul
    ins(%a0, %a1 : memref<16x24xf64>, memref<24x12xf64>)
    outs(%out : memref<16x12xf64>)
  return
}
