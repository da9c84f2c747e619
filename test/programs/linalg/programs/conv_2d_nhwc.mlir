// Convolution of pictures.
func.func @conv_2d_nhwc(%a0: memref<1x12x10x3xf32>, %a1: memref<3x3x3x5xf32>, %out: memref<1x10x8x5xf32>) attributes {llvm.emit_c_interface} {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%a0, %a1 : memref<1x12x10x3xf32>, memref<3x3x3x5xf32>)
    outs(%out : memref<1x10x8x5xf32>)
  return
}
