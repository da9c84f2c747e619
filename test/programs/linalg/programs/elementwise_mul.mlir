// linalg.mul of f64.
func.func @elementwise_mul(%a0: memref<11x13xf64>, %a1: memref<11x13xf64>, %out: memref<11x13xf64>) attributes {llvm.emit_c_interface} {
  linalg.mul
    ins(%a0, %a1 : memref<11x13xf64>, memref<11x13xf64>)
    outs(%out : memref<11x13xf64>)
  return
}
