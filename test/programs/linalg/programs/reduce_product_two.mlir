// Products over two dimensions, modulo 2^64.
func.func @reduce_product_two(%a: memref<6x5x7xi64>, %out: memref<5xi64>) attributes {llvm.emit_c_interface} {
  linalg.reduce ins(%a : memref<6x5x7xi64>) outs(%out : memref<5xi64>) dimensions = [0, 2]
    (%x: i64, %p: i64) {
      %s = arith.muli %x, %p : i64
      linalg.yield %s : i64
    }
  return
}
