// Floats to bytes.
func.func @quantize(%a: memref<120xf32>, %out: memref<120xi8>) attributes {llvm.emit_c_interface} {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%a : memref<120xf32>)
      outs(%out : memref<120xi8>) {
    ^bb0(%x0: f32, %o0: i8):
      %scale = arith.constant 8.0 : f32
      %lo = arith.constant -128.0 : f32
      %hi = arith.constant 127.0 : f32
      %s = arith.mulf %x0, %scale : f32
      %r = math.roundeven %s : f32
      %m = arith.maximumf %r, %lo : f32
      %n = arith.minimumf %m, %hi : f32
      %v = arith.fptosi %n : f32 to i8
      linalg.yield %v : i8
  }
  return
}
