// A shift and a scale per channel, in four dimensions.
func.func @batchnorm(%a: memref<2x6x6x4xf32>, %mean: memref<4xf32>, %scale: memref<4xf32>, %out: memref<2x6x6x4xf32>) attributes {llvm.emit_c_interface} {
  linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %mean, %scale : memref<2x6x6x4xf32>, memref<4xf32>, memref<4xf32>)
      outs(%out : memref<2x6x6x4xf32>) {
    ^bb0(%x0: f32, %x1: f32, %x2: f32, %o0: f32):
      %d = arith.subf %x0, %x1 : f32
      %v = arith.mulf %d, %x2 : f32
      linalg.yield %v : f32
  }
  return
}
