// Convolution of lines with channels.
func.func @conv_1d_nwc(%a0: memref<2x20x3xf32>, %a1: memref<3x3x4xf32>, %out: memref<2x18x4xf32>) attributes {llvm.emit_c_interface} {
  linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
    ins(%a0, %a1 : memref<2x20x3xf32>, memref<3x3x4xf32>)
    outs(%out : memref<2x18x4xf32>)
  return
}
