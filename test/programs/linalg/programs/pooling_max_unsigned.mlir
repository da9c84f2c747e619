// The largest byte of each window, without sign.
func.func @pooling_max_unsigned(%a0: memref<1x9x9x4xi8>, %a1: memref<3x3xi8>, %out: memref<1x4x4x4xi8>) attributes {llvm.emit_c_interface} {
  linalg.pooling_nhwc_max_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%a0, %a1 : memref<1x9x9x4xi8>, memref<3x3xi8>)
    outs(%out : memref<1x4x4x4xi8>)
  return
}
