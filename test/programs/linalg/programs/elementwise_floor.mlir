// linalg.floor of f16.
func.func @elementwise_floor(%a0: memref<11x13xf16>, %out: memref<11x13xf16>) attributes {llvm.emit_c_interface} {
  linalg.floor
    ins(%a0 : memref<11x13xf16>)
    outs(%out : memref<11x13xf16>)
  return
}
