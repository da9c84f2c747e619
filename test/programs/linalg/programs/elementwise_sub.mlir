// linalg.sub of bf16.
func.func @elementwise_sub(%a0: memref<11x13xbf16>, %a1: memref<11x13xbf16>, %out: memref<11x13xbf16>) attributes {llvm.emit_c_interface} {
  linalg.sub
    ins(%a0, %a1 : memref<11x13xbf16>, memref<11x13xbf16>)
    outs(%out : memref<11x13xbf16>)
  return
}
