// Batches of the same.
func.func @quantized_batch_matmul(%a: memref<2x8x16xi8>, %b: memref<2x16x8xi8>, %out: memref<2x8x8xi32>) attributes {llvm.emit_c_interface} {
  %za = arith.constant -9 : i32
  %zb = arith.constant 4 : i32
  linalg.quantized_batch_matmul
    ins(%a, %b, %za, %zb : memref<2x8x16xi8>, memref<2x16x8xi8>, i32, i32)
    outs(%out : memref<2x8x8xi32>)
  return
}
