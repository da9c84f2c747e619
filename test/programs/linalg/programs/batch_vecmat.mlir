// Batches of vector times matrix.
func.func @batch_vecmat(%a0: memref<4x9xi32>, %a1: memref<4x9x8xi32>, %out: memref<4x8xi32>) attributes {llvm.emit_c_interface} {
  linalg.batch_vecmat
    ins(%a0, %a1 : memref<4x9xi32>, memref<4x9x8xi32>)
    outs(%out : memref<4x8xi32>)
  return
}
