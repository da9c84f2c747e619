// Convolution of pictures, channels first, spread, in steps of two.
func.func @conv_2d_nchw(%a0: memref<1x3x15x15xf32>, %a1: memref<4x3x3x3xf32>, %out: memref<1x4x6x6xf32>) attributes {llvm.emit_c_interface} {
  linalg.conv_2d_nchw_fchw {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%a0, %a1 : memref<1x3x15x15xf32>, memref<4x3x3x3xf32>)
    outs(%out : memref<1x4x6x6xf32>)
  return
}
