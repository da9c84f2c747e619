// linalg.negf of bf16.
func.func @elementwise_negf(%a0: memref<11x13xbf16>, %out: memref<11x13xbf16>) attributes {llvm.emit_c_interface} {
  linalg.negf
    ins(%a0 : memref<11x13xbf16>)
    outs(%out : memref<11x13xbf16>)
  return
}
