// Convolution of pictures of bytes.
func.func @conv_2d_nhwc_i8(%a0: memref<1x8x8x4xi8>, %a1: memref<3x3x4x6xi8>, %out: memref<1x6x6x6xi32>) attributes {llvm.emit_c_interface} {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%a0, %a1 : memref<1x8x8x4xi8>, memref<3x3x4x6xi8>)
    outs(%out : memref<1x6x6x6xi32>)
  return
}
