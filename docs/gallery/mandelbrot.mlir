// How many steps z = z*z + c takes to leave the circle of radius 2, at most %most, for
// each cell of %image: rows from -1.2i to 1.2i, columns from -2.2 to 0.8.
func.func @mandelbrot(%image: memref<?x?xi32>, %most: i32) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %image, %c0 : memref<?x?xi32>
  %columns = memref.dim %image, %c1 : memref<?x?xi32>
  %m = gpu.alloc (%rows, %columns) : memref<?x?xi32>
  gpu.launch blocks(%row, %by, %bz) in (%gx = %rows, %gy = %c1, %gz = %c1)
             threads(%column, %ty, %tz) in (%sx = %columns, %sy = %c1, %sz = %c1) {
    %zero = arith.constant 0.0 : f32
    %two = arith.constant 2.0 : f32
    %four = arith.constant 4.0 : f32
    %none = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %height = arith.constant 2.4 : f32
    %width = arith.constant 3.0 : f32
    %top = arith.constant -1.2 : f32
    %left = arith.constant -2.2 : f32
    %i = arith.index_cast %row : index to i32
    %j = arith.index_cast %column : index to i32
    %n = arith.index_cast %rows : index to i32
    %k = arith.index_cast %columns : index to i32
    %fi = arith.sitofp %i : i32 to f32
    %fj = arith.sitofp %j : i32 to f32
    %fn = arith.sitofp %n : i32 to f32
    %fk = arith.sitofp %k : i32 to f32
    %down = arith.divf %fi, %fn : f32
    %right = arith.divf %fj, %fk : f32
    %h = arith.mulf %down, %height : f32
    %w = arith.mulf %right, %width : f32
    %ci = arith.addf %h, %top : f32
    %cr = arith.addf %w, %left : f32
    %steps:3 = scf.while (%zr = %zero, %zi = %zero, %step = %none) : (f32, f32, i32) -> (f32, f32, i32) {
      %rr = arith.mulf %zr, %zr : f32
      %ii = arith.mulf %zi, %zi : f32
      %size = arith.addf %rr, %ii : f32
      %inside = arith.cmpf olt, %size, %four : f32
      %more = arith.cmpi slt, %step, %most : i32
      %go = arith.andi %inside, %more : i1
      scf.condition(%go) %zr, %zi, %step : f32, f32, i32
    } do {
    ^bb0(%zr: f32, %zi: f32, %step: i32):
      %rr = arith.mulf %zr, %zr : f32
      %ii = arith.mulf %zi, %zi : f32
      %d = arith.subf %rr, %ii : f32
      %r = arith.addf %d, %cr : f32
      %ri = arith.mulf %zr, %zi : f32
      %twice = arith.mulf %ri, %two : f32
      %s = arith.addf %twice, %ci : f32
      %next = arith.addi %step, %one : i32
      scf.yield %r, %s, %next : f32, f32, i32
    }
    memref.store %steps#2, %m[%row, %column] : memref<?x?xi32>
    gpu.terminator
  }
  gpu.memcpy %image, %m : memref<?x?xi32>, memref<?x?xi32>
  gpu.dealloc %m : memref<?x?xi32>
  return
}
