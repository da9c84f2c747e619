// Sums of rows.
func.func @reduce_sum(%a: memref<13x40xf32>, %out: memref<13xf32>) attributes {llvm.emit_c_interface} {
  linalg.reduce ins(%a : memref<13x40xf32>) outs(%out : memref<13xf32>) dimensions = [1]
    (%x: f32, %sum: f32) {
      %s = arith.addf %x, %sum : f32
      linalg.yield %s : f32
    }
  return
}
