// Matrix product of bytes without sign.
func.func @matmul_u8(%a0: memref<24x32xi8>, %a1: memref<32x24xi8>, %out: memref<24x24xi32>) attributes {llvm.emit_c_interface} {
  linalg.matmul {cast = #linalg.type_fn<cast_unsigned>}
    ins(%a0, %a1 : memref<24x32xi8>, memref<32x24xi8>)
    outs(%out : memref<24x24xi32>)
  return
}
