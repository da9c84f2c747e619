// Matrix times vector.
func.func @matvec(%a0: memref<50x33xf32>, %a1: memref<33xf32>, %out: memref<50xf32>) attributes {llvm.emit_c_interface} {
  linalg.matvec
    ins(%a0, %a1 : memref<50x33xf32>, memref<33xf32>)
    outs(%out : memref<50xf32>)
  return
}
