// Matrix product of bytes with zero points.
func.func @quantized_matmul(%a: memref<16x32xi8>, %b: memref<32x24xi8>, %out: memref<16x24xi32>) attributes {llvm.emit_c_interface} {
  %za = arith.constant 7 : i32
  %zb = arith.constant -3 : i32
  linalg.quantized_matmul
    ins(%a, %b, %za, %zb : memref<16x32xi8>, memref<32x24xi8>, i32, i32)
    outs(%out : memref<16x24xi32>)
  return
}
