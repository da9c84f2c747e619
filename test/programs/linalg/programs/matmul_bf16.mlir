// Matrix product of bfloat16, summed in bfloat16.
func.func @matmul_bf16(%a0: memref<12x16xbf16>, %a1: memref<16x10xbf16>, %out: memref<12x10xbf16>) attributes {llvm.emit_c_interface} {
  linalg.matmul
    ins(%a0, %a1 : memref<12x16xbf16>, memref<16x10xbf16>)
    outs(%out : memref<12x10xbf16>)
  return
}
