// Convolution of a line.
func.func @conv_1d(%a0: memref<70xf32>, %a1: memref<7xf32>, %out: memref<64xf32>) attributes {llvm.emit_c_interface} {
  linalg.conv_1d
    ins(%a0, %a1 : memref<70xf32>, memref<7xf32>)
    outs(%out : memref<64xf32>)
  return
}
