// The same on lines of halves.
func.func @depthwise_conv_1d(%a0: memref<2x16x5xf16>, %a1: memref<3x5xf16>, %out: memref<2x14x5xf16>) attributes {llvm.emit_c_interface} {
  linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
    ins(%a0, %a1 : memref<2x16x5xf16>, memref<3x5xf16>)
    outs(%out : memref<2x14x5xf16>)
  return
}
