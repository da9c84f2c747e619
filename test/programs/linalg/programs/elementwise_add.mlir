// linalg.add of f16.
func.func @elementwise_add(%a0: memref<11x13xf16>, %a1: memref<11x13xf16>, %out: memref<11x13xf16>) attributes {llvm.emit_c_interface} {
  linalg.add
    ins(%a0, %a1 : memref<11x13xf16>, memref<11x13xf16>)
    outs(%out : memref<11x13xf16>)
  return
}
