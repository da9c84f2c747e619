// The same with several results per channel.
func.func @depthwise_conv_2d_multiplied(%a0: memref<1x8x8x3xf32>, %a1: memref<3x3x3x2xf32>, %out: memref<1x6x6x3x2xf32>) attributes {llvm.emit_c_interface} {
  linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%a0, %a1 : memref<1x8x8x3xf32>, memref<3x3x3x2xf32>)
    outs(%out : memref<1x6x6x3x2xf32>)
  return
}
