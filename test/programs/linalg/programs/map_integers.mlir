// Division of short integers.
func.func @map_integers(%a: memref<90xi16>, %b: memref<90xi16>, %out: memref<90xi16>) attributes {llvm.emit_c_interface} {
  linalg.map ins(%a, %b : memref<90xi16>, memref<90xi16>) outs(%out : memref<90xi16>)
    (%x: i16, %y: i16, %o: i16) {
      %one = arith.constant 1 : i16
      %mask = arith.constant 127 : i16
      %p = arith.andi %y, %mask : i16
      %d = arith.ori %p, %one : i16
      %q = arith.divsi %x, %d : i16
      %r = arith.remui %x, %d : i16
      %s = arith.xori %q, %r : i16
      linalg.yield %s : i16
    }
  return
}
