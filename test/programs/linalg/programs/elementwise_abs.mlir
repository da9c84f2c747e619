// linalg.abs of f32.
func.func @elementwise_abs(%a0: memref<11x13xf32>, %out: memref<11x13xf32>) attributes {llvm.emit_c_interface} {
  linalg.abs
    ins(%a0 : memref<11x13xf32>)
    outs(%out : memref<11x13xf32>)
  return
}
