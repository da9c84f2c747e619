// near
// Positions as rotations.
func.func @rotary(%a: memref<10x8xf32>, %out: memref<10x8xf32>) attributes {llvm.emit_c_interface} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      outs(%out : memref<10x8xf32>) {
    ^bb0(%o0: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %one = arith.constant 1 : index
      %other = arith.xori %j, %one : index
      %x = memref.load %a[%i, %j] : memref<10x8xf32>
      %y = memref.load %a[%i, %other] : memref<10x8xf32>
      %iw = arith.index_cast %i : index to i32
      %jw = arith.index_cast %j : index to i32
      %if = arith.sitofp %iw : i32 to f32
      %jf = arith.sitofp %jw : i32 to f32
      %part = arith.constant 0.125 : f32
      %p = arith.mulf %jf, %part : f32
      %angle = arith.mulf %if, %p : f32
      %c = math.cos %angle : f32
      %s = math.sin %angle : f32
      %xc = arith.mulf %x, %c : f32
      %ys = arith.mulf %y, %s : f32
      %v = arith.subf %xc, %ys : f32
      linalg.yield %v : f32
  }
  return
}
