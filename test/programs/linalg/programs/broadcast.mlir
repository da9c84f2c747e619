// A vector repeated along two dimensions.
func.func @broadcast(%a: memref<9xf64>, %out: memref<5x9x3xf64>) attributes {llvm.emit_c_interface} {
  linalg.broadcast ins(%a : memref<9xf64>) outs(%out : memref<5x9x3xf64>) dimensions = [0, 2]
  return
}
