// The same with zero points.
func.func @conv_2d_quantized(%a: memref<1x8x8x3xi8>, %k: memref<3x3x3x4xi8>, %out: memref<1x6x6x4xi32>) attributes {llvm.emit_c_interface} {
  %za = arith.constant 11 : i32
  %zk = arith.constant -2 : i32
  linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%a, %k, %za, %zk : memref<1x8x8x3xi8>, memref<3x3x3x4xi8>, i32, i32)
    outs(%out : memref<1x6x6x4xi32>)
  return
}
