// Convolution in space.
func.func @conv_3d(%a0: memref<7x8x9xf32>, %a1: memref<3x3x3xf32>, %out: memref<5x6x7xf32>) attributes {llvm.emit_c_interface} {
  linalg.conv_3d
    ins(%a0, %a1 : memref<7x8x9xf32>, memref<3x3x3xf32>)
    outs(%out : memref<5x6x7xf32>)
  return
}
