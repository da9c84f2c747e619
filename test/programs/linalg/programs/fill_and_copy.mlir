// One after the other.
func.func @fill_and_copy(%out: memref<31x7xf16>, %b: memref<31x7xf16>) attributes {llvm.emit_c_interface} {
  %x = arith.constant 1.5 : f16
  linalg.copy ins(%out : memref<31x7xf16>) outs(%b : memref<31x7xf16>)
  linalg.fill ins(%x : f16) outs(%out : memref<31x7xf16>)
  return
}
