// linalg.min of i8.
func.func @elementwise_min(%a0: memref<11x13xi8>, %a1: memref<11x13xi8>, %out: memref<11x13xi8>) attributes {llvm.emit_c_interface} {
  linalg.min
    ins(%a0, %a1 : memref<11x13xi8>, memref<11x13xi8>)
    outs(%out : memref<11x13xi8>)
  return
}
