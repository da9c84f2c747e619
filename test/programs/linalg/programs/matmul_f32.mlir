// Matrix product, sizes that no block divides.
func.func @matmul_f32(%a0: memref<37x29xf32>, %a1: memref<29x41xf32>, %out: memref<37x41xf32>) attributes {llvm.emit_c_interface} {
  linalg.matmul
    ins(%a0, %a1 : memref<37x29xf32>, memref<29x41xf32>)
    outs(%out : memref<37x41xf32>)
  return
}
