// linalg.div of f32.
func.func @elementwise_div(%a0: memref<11x13xf32>, %a1: memref<11x13xf32>, %out: memref<11x13xf32>) attributes {llvm.emit_c_interface} {
  linalg.div
    ins(%a0, %a1 : memref<11x13xf32>, memref<11x13xf32>)
    outs(%out : memref<11x13xf32>)
  return
}
