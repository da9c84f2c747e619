// A frame of zeros around a picture turned over.
func.func @pad_and_flip(%a: memref<8x9xi64>, %out: memref<12x13xi64>) attributes {llvm.emit_c_interface} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      outs(%out : memref<12x13xi64>) {
    ^bb0(%o0: i64):
      %two = arith.constant 2 : index
      %h = arith.constant 8 : index
      %w = arith.constant 9 : index
      %seven = arith.constant 7 : index
      %zero = arith.constant 0 : i64
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %y = arith.subi %i, %two : index
      %x = arith.subi %j, %two : index
      %cy = arith.cmpi ult, %y, %h : index
      %cx = arith.cmpi ult, %x, %w : index
      %c = arith.andi %cy, %cx : i1
      %v = scf.if %c -> i64 {
        %yy = arith.subi %seven, %y : index
        %l = memref.load %a[%yy, %x] : memref<8x9xi64>
        scf.yield %l : i64
      } else {
        scf.yield %zero : i64
      }
      linalg.yield %v : i64
  }
  return
}
