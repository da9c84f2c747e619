// The largest of each window.
func.func @pooling_max(%a0: memref<1x9x9x4xf32>, %a1: memref<3x3xf32>, %out: memref<1x4x4x4xf32>) attributes {llvm.emit_c_interface} {
  linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%a0, %a1 : memref<1x9x9x4xf32>, memref<3x3xf32>)
    outs(%out : memref<1x4x4x4xf32>)
  return
}
