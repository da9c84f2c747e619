// Convolution of each channel by itself.
func.func @depthwise_conv_2d(%a0: memref<1x10x10x6xf32>, %a1: memref<3x3x6xf32>, %out: memref<1x8x8x6xf32>) attributes {llvm.emit_c_interface} {
  linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%a0, %a1 : memref<1x10x10x6xf32>, memref<3x3x6xf32>)
    outs(%out : memref<1x8x8x6xf32>)
  return
}
