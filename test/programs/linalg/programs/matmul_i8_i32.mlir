// Matrix product of bytes, summed in words.
func.func @matmul_i8_i32(%a0: memref<24x32xi8>, %a1: memref<32x24xi8>, %out: memref<24x24xi32>) attributes {llvm.emit_c_interface} {
  linalg.matmul
    ins(%a0, %a1 : memref<24x32xi8>, memref<32x24xi8>)
    outs(%out : memref<24x24xi32>)
  return
}
