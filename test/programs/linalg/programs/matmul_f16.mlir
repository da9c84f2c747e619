// Matrix product of halves, summed in halves.
func.func @matmul_f16(%a0: memref<20x16xf16>, %a1: memref<16x20xf16>, %out: memref<20x20xf16>) attributes {llvm.emit_c_interface} {
  linalg.matmul
    ins(%a0, %a1 : memref<20x16xf16>, memref<16x20xf16>)
    outs(%out : memref<20x20xf16>)
  return
}
