// Matrix products summed over a batch.
func.func @batch_reduce_matmul(%a0: memref<4x9x8xf32>, %a1: memref<4x8x7xf32>, %out: memref<9x7xf32>) attributes {llvm.emit_c_interface} {
  linalg.batch_reduce_matmul
    ins(%a0, %a1 : memref<4x9x8xf32>, memref<4x8x7xf32>)
    outs(%out : memref<9x7xf32>)
  return
}
