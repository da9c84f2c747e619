// Matrix product of 64-bit integers.
func.func @matmul_i64(%a0: memref<10x11xi64>, %a1: memref<11x12xi64>, %out: memref<10x12xi64>) attributes {llvm.emit_c_interface} {
  linalg.matmul
    ins(%a0, %a1 : memref<10x11xi64>, memref<11x12xi64>)
    outs(%out : memref<10x12xi64>)
  return
}
