// The largest of each window, channels first.
func.func @pooling_channels_first(%a0: memref<1x3x8x8xf64>, %a1: memref<2x2xf64>, %out: memref<1x3x4x4xf64>) attributes {llvm.emit_c_interface} {
  linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%a0, %a1 : memref<1x3x8x8xf64>, memref<2x2xf64>)
    outs(%out : memref<1x3x4x4xf64>)
  return
}
