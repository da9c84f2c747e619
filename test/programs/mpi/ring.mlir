// C = A * B, 128 x 128. Each rank has a slab of rows of each: it multiplies with the
// slab of B that it holds and passes that on to the rank before it, until all have come
// by. Numbers are small and whole, so that sums are exact in any order. Rank 0 prints a
// hash of C to which each rank gives its part, and returns how many elements are wrong.
//
// The number of rows divides by the number of ranks.

module attributes {dlti.map = #dlti.map<"MPI:Implementation" = "OpenMPI">} {

func.func private @printI64(i64)
func.func private @printNewline()

func.func @a(%i: index, %j: index) -> i32 {
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %three = arith.constant 3 : i32
  %p = arith.muli %i, %c3 : index
  %q = arith.addi %p, %j : index
  %r = arith.remui %q, %c7 : index
  %s = arith.index_cast %r : index to i32
  %t = arith.subi %s, %three : i32
  return %t : i32
}

func.func @b(%i: index, %j: index) -> i32 {
  %c5 = arith.constant 5 : index
  %c11 = arith.constant 11 : index
  %five = arith.constant 5 : i32
  %p = arith.muli %j, %c5 : index
  %q = arith.addi %p, %i : index
  %r = arith.remui %q, %c11 : index
  %s = arith.index_cast %r : index to i32
  %t = arith.subi %s, %five : i32
  return %t : i32
}

// c += a[:, at:at+rows] * b, for slabs of so many rows.
func.func @multiply(%rows: index, %at: index, %a: memref<?x128xf32>, %b: memref<?x128xf32>, %c: memref<?x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%i, %by, %bz) in (%gx = %rows, %gy = %c1, %gz = %c1)
             threads(%j, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %old = memref.load %c[%i, %j] : memref<?x128xf32>
    %new = scf.for %k = %c0 to %rows step %c1 iter_args(%sum = %old) -> (f32) {
      %l = arith.addi %at, %k : index
      %x = memref.load %a[%i, %l] : memref<?x128xf32>
      %y = memref.load %b[%k, %j] : memref<?x128xf32>
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %sum, %p : f32
      scf.yield %s : f32
    }
    memref.store %new, %c[%i, %j] : memref<?x128xf32>
    gpu.terminator
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %tag = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %l0 = arith.constant 0 : i64
  %l1 = arith.constant 1 : i64
  %factor = arith.constant 6364136223846793005 : i64
  %max = arith.constant 255 : i32

  %e0 = mpi.init : !mpi.retval
  %comm = mpi.comm_world : !mpi.comm
  %e1, %rank = mpi.comm_rank(%comm) : !mpi.retval, i32
  // mpi.comm_size does not lower: the sum of a 1 from each rank.
  %one = memref.alloc() : memref<1xi32>
  %sum = memref.alloc() : memref<1xi32>
  memref.store %i1, %one[%c0] : memref<1xi32>
  mpi.allreduce(%one, %sum, MPI_SUM, %comm) : memref<1xi32>, memref<1xi32>
  %size = memref.load %sum[%c0] : memref<1xi32>

  %ranks = arith.index_cast %size : i32 to index
  %me = arith.index_cast %rank : i32 to index
  %rows = arith.divui %c128, %ranks : index
  %offset = arith.muli %me, %rows : index
  %next = arith.addi %rank, %i1 : i32
  %succ = arith.remui %next, %size : i32
  %most = arith.subi %size, %i1 : i32
  %before = arith.addi %rank, %most : i32
  %prev = arith.remui %before, %size : i32
  %low = arith.andi %rank, %i1 : i32
  %even = arith.cmpi eq, %low, %i0 : i32
  %several = arith.cmpi ne, %size, %i1 : i32

  %a = memref.alloc(%rows) : memref<?x128xf32>
  %b = memref.alloc(%rows) : memref<?x128xf32>
  %passed = memref.alloc(%rows) : memref<?x128xf32>
  %c = memref.alloc(%rows) : memref<?x128xf32>
  scf.for %i = %c0 to %rows step %c1 {
    %row = arith.addi %offset, %i : index
    scf.for %j = %c0 to %c128 step %c1 {
      %x = func.call @a(%row, %j) : (index, index) -> i32
      %y = func.call @b(%row, %j) : (index, index) -> i32
      %xf = arith.sitofp %x : i32 to f32
      %yf = arith.sitofp %y : i32 to f32
      memref.store %xf, %a[%i, %j] : memref<?x128xf32>
      memref.store %yf, %b[%i, %j] : memref<?x128xf32>
      memref.store %zero, %c[%i, %j] : memref<?x128xf32>
    }
  }
  %da = gpu.alloc(%rows) : memref<?x128xf32>
  %db = gpu.alloc(%rows) : memref<?x128xf32>
  %dc = gpu.alloc(%rows) : memref<?x128xf32>
  gpu.memcpy %da, %a : memref<?x128xf32>, memref<?x128xf32>
  gpu.memcpy %dc, %c : memref<?x128xf32>, memref<?x128xf32>
  scf.for %turn = %c0 to %ranks step %c1 {
    // The slab in %b belongs to the rank that is %turn earlier.
    %p = arith.addi %me, %turn : index
    %owner = arith.remui %p, %ranks : index
    %at = arith.muli %owner, %rows : index
    gpu.memcpy %db, %b : memref<?x128xf32>, memref<?x128xf32>
    func.call @multiply(%rows, %at, %da, %db, %dc) : (index, index, memref<?x128xf32>, memref<?x128xf32>, memref<?x128xf32>) -> ()
    scf.if %several {
      // The count of a memref of two dimensions would be its first dimension.
      %from = memref.collapse_shape %b [[0, 1]] : memref<?x128xf32> into memref<?xf32>
      %to = memref.collapse_shape %passed [[0, 1]] : memref<?x128xf32> into memref<?xf32>
      // Sends may wait for their receivers: every other rank receives first.
      scf.if %even {
        mpi.send(%from, %tag, %prev, %comm) : memref<?xf32>, i32, i32
        mpi.recv(%to, %tag, %succ, %comm) : memref<?xf32>, i32, i32
      } else {
        mpi.recv(%to, %tag, %succ, %comm) : memref<?xf32>, i32, i32
        mpi.send(%from, %tag, %prev, %comm) : memref<?xf32>, i32, i32
      }
      memref.copy %passed, %b : memref<?x128xf32> to memref<?x128xf32>
    }
  }
  gpu.memcpy %c, %dc : memref<?x128xf32>, memref<?x128xf32>

  %hash, %wrong = scf.for %i = %c0 to %rows step %c1 iter_args(%h0 = %l0, %w0 = %l0) -> (i64, i64) {
    %row = arith.addi %offset, %i : index
    %h3, %w3 = scf.for %j = %c0 to %c128 step %c1 iter_args(%h1 = %h0, %w1 = %w0) -> (i64, i64) {
      %want = scf.for %k = %c0 to %c128 step %c1 iter_args(%s = %i0) -> (i32) {
        %x = func.call @a(%row, %k) : (index, index) -> i32
        %y = func.call @b(%k, %j) : (index, index) -> i32
        %xy = arith.muli %x, %y : i32
        %t = arith.addi %s, %xy : i32
        scf.yield %t : i32
      }
      %wantf = arith.sitofp %want : i32 to f32
      %got = memref.load %c[%i, %j] : memref<?x128xf32>
      %differs = arith.cmpf une, %got, %wantf : f32
      %more = arith.addi %w1, %l1 : i64
      %w2 = arith.select %differs, %more, %w1 : i64
      %bits = arith.bitcast %got : f32 to i32
      %wide = arith.extui %bits : i32 to i64
      %place = arith.muli %row, %c128 : index
      %element = arith.addi %place, %j : index
      %number = arith.index_cast %element : index to i64
      %weight = arith.muli %number, %factor : i64
      %odd = arith.ori %weight, %l1 : i64
      %part = arith.muli %wide, %odd : i64
      %h2 = arith.addi %h1, %part : i64
      scf.yield %h2, %w2 : i64, i64
    }
    scf.yield %h3, %w3 : i64, i64
  }
  %mine = memref.alloc() : memref<2xi64>
  %all = memref.alloc() : memref<2xi64>
  memref.store %hash, %mine[%c0] : memref<2xi64>
  memref.store %wrong, %mine[%c1] : memref<2xi64>
  mpi.allreduce(%mine, %all, MPI_SUM, %comm) : memref<2xi64>, memref<2xi64>
  %first = arith.cmpi eq, %rank, %i0 : i32
  scf.if %first {
    %h = memref.load %all[%c0] : memref<2xi64>
    func.call @printI64(%h) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  gpu.dealloc %da : memref<?x128xf32>
  gpu.dealloc %db : memref<?x128xf32>
  gpu.dealloc %dc : memref<?x128xf32>
  %e2 = mpi.finalize : !mpi.retval
  %w = memref.load %all[%c1] : memref<2xi64>
  %w32 = arith.trunci %w : i64 to i32
  %status = arith.minui %w32, %max : i32
  return %status : i32
}
}
