// Vector times matrix.
func.func @vecmat(%a0: memref<33xf64>, %a1: memref<33x20xf64>, %out: memref<20xf64>) attributes {llvm.emit_c_interface} {
  linalg.vecmat
    ins(%a0, %a1 : memref<33xf64>, memref<33x20xf64>)
    outs(%out : memref<20xf64>)
  return
}
