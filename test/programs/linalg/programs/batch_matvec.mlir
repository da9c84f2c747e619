// Batches of matrix times vector.
func.func @batch_matvec(%a0: memref<4x9x8xf32>, %a1: memref<4x8xf32>, %out: memref<4x9xf32>) attributes {llvm.emit_c_interface} {
  linalg.batch_matvec
    ins(%a0, %a1 : memref<4x9x8xf32>, memref<4x8xf32>)
    outs(%out : memref<4x9xf32>)
  return
}
