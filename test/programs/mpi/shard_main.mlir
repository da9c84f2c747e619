// Calls shard.mlir's function with each rank's part of A and B, which partitioning has
// left in its parameters. Rank 0 prints a hash of the product; every rank returns how
// many elements are wrong.

module attributes {dlti.map = #dlti.map<"MPI:Implementation" = "OpenMPI">} {

func.func private @product(memref<64x?xf32>, memref<?x64xf32>, memref<64x64xf32>) -> memref<64x64xf32>
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

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %basis = arith.constant -3750763034362895579 : i64
  %prime = arith.constant 1099511628211 : i64
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
  %part = arith.divui %c64, %ranks : index
  %offset = arith.muli %me, %part : index

  %a = memref.alloc(%part) : memref<64x?xf32>
  %b = memref.alloc(%part) : memref<?x64xf32>
  %z = memref.alloc() : memref<64x64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %k = %c0 to %part step %c1 {
      %g = arith.addi %offset, %k : index
      %x = func.call @a(%i, %g) : (index, index) -> i32
      %y = func.call @b(%g, %i) : (index, index) -> i32
      %xf = arith.sitofp %x : i32 to f32
      %yf = arith.sitofp %y : i32 to f32
      memref.store %xf, %a[%i, %k] : memref<64x?xf32>
      memref.store %yf, %b[%k, %i] : memref<?x64xf32>
    }
    scf.for %j = %c0 to %c64 step %c1 {
      memref.store %zero, %z[%i, %j] : memref<64x64xf32>
    }
  }
  %c = func.call @product(%a, %b, %z) : (memref<64x?xf32>, memref<?x64xf32>, memref<64x64xf32>) -> memref<64x64xf32>

  %hash, %wrong = scf.for %i = %c0 to %c64 step %c1 iter_args(%h0 = %basis, %w0 = %i0) -> (i64, i32) {
    %h3, %w3 = scf.for %j = %c0 to %c64 step %c1 iter_args(%h1 = %h0, %w1 = %w0) -> (i64, i32) {
      %want = scf.for %k = %c0 to %c64 step %c1 iter_args(%s = %i0) -> (i32) {
        %x = func.call @a(%i, %k) : (index, index) -> i32
        %y = func.call @b(%k, %j) : (index, index) -> i32
        %xy = arith.muli %x, %y : i32
        %t = arith.addi %s, %xy : i32
        scf.yield %t : i32
      }
      %wantf = arith.sitofp %want : i32 to f32
      %got = memref.load %c[%i, %j] : memref<64x64xf32>
      %differs = arith.cmpf une, %got, %wantf : f32
      %more = arith.addi %w1, %i1 : i32
      %w2 = arith.select %differs, %more, %w1 : i32
      %xb = arith.bitcast %got : f32 to i32
      %bits = arith.extui %xb : i32 to i64
      %mixed = arith.xori %h1, %bits : i64
      %h2 = arith.muli %mixed, %prime : i64
      scf.yield %h2, %w2 : i64, i32
    }
    scf.yield %h3, %w3 : i64, i32
  }
  %first = arith.cmpi eq, %rank, %i0 : i32
  scf.if %first {
    func.call @printI64(%hash) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  %e2 = mpi.finalize : !mpi.retval
  %status = arith.minui %wrong, %max : i32
  return %status : i32
}
}
