// Product, bias and rectifier on tensors, which fusion makes fewer kernels of.
func.func @fused_layers(%a: memref<16x12xf32>, %w: memref<12x20xf32>, %bias: memref<20xf32>, %out: memref<16x20xf32>) attributes {llvm.emit_c_interface} {
  %zero = arith.constant 0.0 : f32
  %ta = bufferization.to_tensor %a restrict : memref<16x12xf32> to tensor<16x12xf32>
  %tw = bufferization.to_tensor %w restrict : memref<12x20xf32> to tensor<12x20xf32>
  %tb = bufferization.to_tensor %bias restrict : memref<20xf32> to tensor<20xf32>
  %e = tensor.empty() : tensor<16x20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x20xf32>) -> tensor<16x20xf32>
  %m = linalg.matmul ins(%ta, %tw : tensor<16x12xf32>, tensor<12x20xf32>) outs(%f : tensor<16x20xf32>) -> tensor<16x20xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%m, %tb : tensor<16x20xf32>, tensor<20xf32>) outs(%e : tensor<16x20xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %v = arith.addf %x, %y : f32
      linalg.yield %v : f32
  } -> tensor<16x20xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<16x20xf32>) outs(%e : tensor<16x20xf32>) {
    ^bb0(%x: f32, %o: f32):
      %v = arith.maximumf %x, %zero : f32
      linalg.yield %v : f32
  } -> tensor<16x20xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<16x20xf32>, memref<16x20xf32>) -> ()
  return
}
