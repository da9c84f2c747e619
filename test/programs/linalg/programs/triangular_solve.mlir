// Forward substitution: kernels in a loop on the host, on views.
func.func @triangular_solve(%a: memref<12x12xf64>, %b: memref<12x5xf64>) attributes {llvm.emit_c_interface} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 12 : index
  scf.for %k = %zero to %n step %one {
    %row = memref.subview %b[%k, 0] [1, 5] [1, 1] : memref<12x5xf64> to memref<5xf64, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                    iterator_types = ["parallel", "parallel"]}
        ins(%row : memref<5xf64, strided<[1], offset: ?>>)
        outs(%b : memref<12x5xf64>) {
      ^bb0(%x0: f64, %o0: f64):
        %i = linalg.index 0 : index
        %below = arith.cmpi ugt, %i, %k : index
        %l = memref.load %a[%i, %k] : memref<12x12xf64>
        %p = arith.mulf %l, %x0 : f64
        %d = arith.subf %o0, %p : f64
        %v = arith.select %below, %d, %o0 : f64
        linalg.yield %v : f64
    }
  }
  return
}
