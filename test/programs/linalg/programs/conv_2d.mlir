// Convolution of a plane.
func.func @conv_2d(%a0: memref<20x18xf64>, %a1: memref<3x4xf64>, %out: memref<18x15xf64>) attributes {llvm.emit_c_interface} {
  linalg.conv_2d
    ins(%a0, %a1 : memref<20x18xf64>, memref<3x4xf64>)
    outs(%out : memref<18x15xf64>)
  return
}
