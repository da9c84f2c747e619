// Matrix product of bfloat16, summed in floats.
func.func @matmul_bf16_f32(%a0: memref<20x16xbf16>, %a1: memref<16x20xbf16>, %out: memref<20x20xf32>) attributes {llvm.emit_c_interface} {
  linalg.matmul
    ins(%a0, %a1 : memref<20x16xbf16>, memref<16x20xbf16>)
    outs(%out : memref<20x20xf32>)
  return
}
