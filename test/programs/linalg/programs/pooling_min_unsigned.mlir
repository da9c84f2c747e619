// The smallest of each window, without sign.
func.func @pooling_min_unsigned(%a0: memref<1x9x9x4xi16>, %a1: memref<3x3xi16>, %out: memref<1x4x4x4xi16>) attributes {llvm.emit_c_interface} {
  linalg.pooling_nhwc_min_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%a0, %a1 : memref<1x9x9x4xi16>, memref<3x3xi16>)
    outs(%out : memref<1x4x4x4xi16>)
  return
}
