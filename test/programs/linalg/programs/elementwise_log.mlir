// near
// linalg.log of f64.
func.func @elementwise_log(%a0: memref<11x13xf64>, %out: memref<11x13xf64>) attributes {llvm.emit_c_interface} {
  linalg.log
    ins(%a0 : memref<11x13xf64>)
    outs(%out : memref<11x13xf64>)
  return
}
