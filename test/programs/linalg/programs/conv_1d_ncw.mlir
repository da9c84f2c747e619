// Convolution of lines, channels first, in steps of two.
func.func @conv_1d_ncw(%a0: memref<2x3x21xf32>, %a1: memref<4x3x3xf32>, %out: memref<2x4x10xf32>) attributes {llvm.emit_c_interface} {
  linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
    ins(%a0, %a1 : memref<2x3x21xf32>, memref<4x3x3xf32>)
    outs(%out : memref<2x4x10xf32>)
  return
}
