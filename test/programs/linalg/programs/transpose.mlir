// Dimensions exchanged.
func.func @transpose(%a: memref<7x9x11xi16>, %out: memref<11x7x9xi16>) attributes {llvm.emit_c_interface} {
  linalg.transpose ins(%a : memref<7x9x11xi16>) outs(%out : memref<11x7x9xi16>) permutation = [2, 0, 1]
  return
}
