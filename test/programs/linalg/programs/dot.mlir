// Dot product: one number.
func.func @dot(%a0: memref<333xf32>, %a1: memref<333xf32>, %out: memref<f32>) attributes {llvm.emit_c_interface} {
  linalg.dot
    ins(%a0, %a1 : memref<333xf32>, memref<333xf32>)
    outs(%out : memref<f32>)
  return
}
