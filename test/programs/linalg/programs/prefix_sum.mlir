// Sums of all that comes before, in every row.
func.func @prefix_sum(%a: memref<6x40xf32>, %out: memref<6x40xf32>) attributes {llvm.emit_c_interface} {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a : memref<6x40xf32>)
      outs(%out : memref<6x40xf32>) {
    ^bb0(%x0: f32, %o0: f32):
      %j = linalg.index 1 : index
      %k = linalg.index 2 : index
      %c = arith.cmpi ule, %k, %j : index
      %s = arith.addf %o0, %x0 : f32
      %v = arith.select %c, %s, %o0 : f32
      linalg.yield %v : f32
  }
  return
}
