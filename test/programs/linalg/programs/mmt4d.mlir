// Matrix product in tiles.
func.func @mmt4d(%a0: memref<2x3x4x2xf32>, %a1: memref<3x3x4x2xf32>, %out: memref<2x3x4x4xf32>) attributes {llvm.emit_c_interface} {
  linalg.mmt4d
    ins(%a0, %a1 : memref<2x3x4x2xf32>, memref<3x3x4x2xf32>)
    outs(%out : memref<2x3x4x4xf32>)
  return
}
