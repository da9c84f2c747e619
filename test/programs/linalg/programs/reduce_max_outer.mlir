// The largest of each column.
func.func @reduce_max_outer(%a: memref<13x40xi32>, %out: memref<40xi32>) attributes {llvm.emit_c_interface} {
  linalg.reduce ins(%a : memref<13x40xi32>) outs(%out : memref<40xi32>) dimensions = [0]
    (%x: i32, %top: i32) {
      %s = arith.maxsi %x, %top : i32
      linalg.yield %s : i32
    }
  return
}
