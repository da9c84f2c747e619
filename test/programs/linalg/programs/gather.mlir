// Rows of a table by their numbers.
func.func @gather(%table: memref<20x6xf32>, %at: memref<15xi32>, %out: memref<15x6xf32>) attributes {llvm.emit_c_interface} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%at : memref<15xi32>)
      outs(%out : memref<15x6xf32>) {
    ^bb0(%x0: i32, %o0: f32):
      %n = arith.constant 20 : i32
      %k = arith.remui %x0, %n : i32
      %i = arith.index_cast %k : i32 to index
      %j = linalg.index 1 : index
      %v = memref.load %table[%i, %j] : memref<20x6xf32>
      linalg.yield %v : f32
  }
  return
}
