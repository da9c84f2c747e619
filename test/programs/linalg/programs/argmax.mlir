// The largest of each row and where it is.
func.func @argmax(%a: memref<11x25xf32>, %top: memref<11xf32>, %at: memref<11xi32>) attributes {llvm.emit_c_interface} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<11x25xf32>)
      outs(%top, %at : memref<11xf32>, memref<11xi32>) {
    ^bb0(%x0: f32, %o0: f32, %o1: i32):
      %j = linalg.index 1 : index
      %n = arith.index_cast %j : index to i32
      %c = arith.cmpf ogt, %x0, %o0 : f32
      %t = arith.select %c, %x0, %o0 : f32
      %w = arith.select %c, %n, %o1 : i32
      linalg.yield %t, %w : f32, i32
  }
  return
}
