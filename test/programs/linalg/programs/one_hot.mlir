// A one where the number says.
func.func @one_hot(%at: memref<24xi8>, %out: memref<24x10xi8>) attributes {llvm.emit_c_interface} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%at : memref<24xi8>)
      outs(%out : memref<24x10xi8>) {
    ^bb0(%x0: i8, %o0: i8):
      %n = arith.constant 10 : i8
      %k = arith.remui %x0, %n : i8
      %j = linalg.index 1 : index
      %c = arith.index_cast %j : index to i8
      %e = arith.cmpi eq, %k, %c : i8
      %v = arith.extui %e : i1 to i8
      linalg.yield %v : i8
  }
  return
}
