// Batches of matrix products.
func.func @batch_matmul(%a0: memref<3x12x10xf32>, %a1: memref<3x10x14xf32>, %out: memref<3x12x14xf32>) attributes {llvm.emit_c_interface} {
  linalg.batch_matmul
    ins(%a0, %a1 : memref<3x12x10xf32>, memref<3x10x14xf32>)
    outs(%out : memref<3x12x14xf32>)
  return
}
