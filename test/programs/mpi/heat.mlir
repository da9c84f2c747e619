// Heat in a plate of 32 x 24 cells, in slabs of rows, one per rank. A step needs the
// neighbours' outermost rows (halos): kernels pack them, MPI exchanges them. Rank 0
// collects the plate, prints how many cells are above 5 and a hash of all bits, and
// returns how many cells differ from what loops on the host compute.
//
// The number of rows divides by the number of ranks.

module attributes {dlti.map = #dlti.map<"MPI:Implementation" = "OpenMPI">} {

func.func private @printI64(i64)
func.func private @printNewline()

// The temperature at the beginning: 100 in a corner of 8 x 8, 0 elsewhere, and -50 in
// the row in the middle.
func.func @start(%i: index, %j: index) -> f32 {
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %hot = arith.constant 100.0 : f32
  %cold = arith.constant -50.0 : f32
  %zero = arith.constant 0.0 : f32
  %high = arith.cmpi ult, %i, %c8 : index
  %left = arith.cmpi ult, %j, %c8 : index
  %corner = arith.andi %high, %left : i1
  %middle = arith.cmpi eq, %i, %c16 : index
  %a = arith.select %middle, %cold, %zero : f32
  %b = arith.select %corner, %hot, %a : f32
  return %b : f32
}

// One cell's next temperature, from its own and its neighbours'.
func.func @cell(%at: f32, %up: f32, %down: f32, %left: f32, %right: f32) -> f32 {
  %rate = arith.constant 0.2 : f32
  %four = arith.constant 4.0 : f32
  %a = arith.addf %up, %down : f32
  %b = arith.addf %left, %right : f32
  %c = arith.addf %a, %b : f32
  %d = arith.mulf %four, %at : f32
  %e = arith.subf %c, %d : f32
  %f = arith.mulf %rate, %e : f32
  %g = arith.addf %at, %f : f32
  return %g : f32
}

// 100 steps of the whole plate, on the host. What is outside has temperature 0.
func.func @on_host(%plate: memref<32x24xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c23 = arith.constant 23 : index
  %c24 = arith.constant 24 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f32
  %next = memref.alloc() : memref<32x24xf32>
  scf.for %step = %c0 to %c100 step %c1 {
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c24 step %c1 {
        %at = memref.load %plate[%i, %j] : memref<32x24xf32>
        %first = arith.cmpi eq, %i, %c0 : index
        %up = scf.if %first -> f32 {
          scf.yield %zero : f32
        } else {
          %k = arith.subi %i, %c1 : index
          %x = memref.load %plate[%k, %j] : memref<32x24xf32>
          scf.yield %x : f32
        }
        %last = arith.cmpi eq, %i, %c31 : index
        %down = scf.if %last -> f32 {
          scf.yield %zero : f32
        } else {
          %k = arith.addi %i, %c1 : index
          %x = memref.load %plate[%k, %j] : memref<32x24xf32>
          scf.yield %x : f32
        }
        %leftmost = arith.cmpi eq, %j, %c0 : index
        %left = scf.if %leftmost -> f32 {
          scf.yield %zero : f32
        } else {
          %k = arith.subi %j, %c1 : index
          %x = memref.load %plate[%i, %k] : memref<32x24xf32>
          scf.yield %x : f32
        }
        %rightmost = arith.cmpi eq, %j, %c23 : index
        %right = scf.if %rightmost -> f32 {
          scf.yield %zero : f32
        } else {
          %k = arith.addi %j, %c1 : index
          %x = memref.load %plate[%i, %k] : memref<32x24xf32>
          scf.yield %x : f32
        }
        %y = func.call @cell(%at, %up, %down, %left, %right) : (f32, f32, f32, f32, f32) -> f32
        memref.store %y, %next[%i, %j] : memref<32x24xf32>
      }
    }
    memref.copy %next, %plate : memref<32x24xf32> to memref<32x24xf32>
  }
  memref.dealloc %next : memref<32x24xf32>
  return
}

// The slab's outermost rows, packed: gpu.memcpy takes no part of a memref.
func.func @pack(%rows: index, %slab: memref<?x24xf32>, %top: memref<24xf32>, %bottom: memref<24xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %last = arith.subi %rows, %c1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%j, %ty, %tz) in (%sx = %c24, %sy = %c1, %sz = %c1) {
    %x = memref.load %slab[%c0, %j] : memref<?x24xf32>
    %y = memref.load %slab[%last, %j] : memref<?x24xf32>
    memref.store %x, %top[%j] : memref<24xf32>
    memref.store %y, %bottom[%j] : memref<24xf32>
    gpu.terminator
  }
  return
}

// One step of a slab, a block of threads per row, between the rows above and below it.
func.func @step(%rows: index, %slab: memref<?x24xf32>, %above: memref<24xf32>, %below: memref<24xf32>, %next: memref<?x24xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c23 = arith.constant 23 : index
  %c24 = arith.constant 24 : index
  %end = arith.subi %rows, %c1 : index
  %zero = arith.constant 0.0 : f32
  %rate = arith.constant 0.2 : f32
  %four = arith.constant 4.0 : f32
  gpu.launch blocks(%i, %by, %bz) in (%gx = %rows, %gy = %c1, %gz = %c1)
             threads(%j, %ty, %tz) in (%sx = %c24, %sy = %c1, %sz = %c1) {
    %at = memref.load %slab[%i, %j] : memref<?x24xf32>
    %first = arith.cmpi eq, %i, %c0 : index
    %up = scf.if %first -> f32 {
      %x = memref.load %above[%j] : memref<24xf32>
      scf.yield %x : f32
    } else {
      %k = arith.subi %i, %c1 : index
      %x = memref.load %slab[%k, %j] : memref<?x24xf32>
      scf.yield %x : f32
    }
    %last = arith.cmpi eq, %i, %end : index
    %down = scf.if %last -> f32 {
      %x = memref.load %below[%j] : memref<24xf32>
      scf.yield %x : f32
    } else {
      %k = arith.addi %i, %c1 : index
      %x = memref.load %slab[%k, %j] : memref<?x24xf32>
      scf.yield %x : f32
    }
    %leftmost = arith.cmpi eq, %j, %c0 : index
    %left = scf.if %leftmost -> f32 {
      scf.yield %zero : f32
    } else {
      %k = arith.subi %j, %c1 : index
      %x = memref.load %slab[%i, %k] : memref<?x24xf32>
      scf.yield %x : f32
    }
    %rightmost = arith.cmpi eq, %j, %c23 : index
    %right = scf.if %rightmost -> f32 {
      scf.yield %zero : f32
    } else {
      %k = arith.addi %j, %c1 : index
      %x = memref.load %slab[%i, %k] : memref<?x24xf32>
      scf.yield %x : f32
    }
    %a = arith.addf %up, %down : f32
    %b = arith.addf %left, %right : f32
    %c = arith.addf %a, %b : f32
    %d = arith.mulf %four, %at : f32
    %e = arith.subf %c, %d : f32
    %f = arith.mulf %rate, %e : f32
    %g = arith.addf %at, %f : f32
    memref.store %g, %next[%i, %j] : memref<?x24xf32>
    gpu.terminator
  }
  return
}

// Rank 0's end: collects the slabs, prints, counts what is wrong.
func.func @collect(%comm: !mpi.comm, %ranks: index, %rows: index, %slab: memref<?x24xf32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %c32 = arith.constant 32 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %tag = arith.constant 3 : i32
  %basis = arith.constant -3750763034362895579 : i64
  %prime = arith.constant 1099511628211 : i64
  %plate = memref.alloc() : memref<32x24xf32>
  %want = memref.alloc() : memref<32x24xf32>
  scf.for %rank = %c0 to %ranks step %c1 {
    %other = arith.cmpi ne, %rank, %c0 : index
    scf.if %other {
      %from = arith.index_cast %rank : index to i32
      // The count of a memref of two dimensions would be its first dimension.
      %flat = memref.collapse_shape %slab [[0, 1]] : memref<?x24xf32> into memref<?xf32>
      mpi.recv(%flat, %tag, %from, %comm) : memref<?xf32>, i32, i32
    }
    %offset = arith.muli %rank, %rows : index
    scf.for %i = %c0 to %rows step %c1 {
      %row = arith.addi %offset, %i : index
      scf.for %j = %c0 to %c24 step %c1 {
        %x = memref.load %slab[%i, %j] : memref<?x24xf32>
        memref.store %x, %plate[%row, %j] : memref<32x24xf32>
      }
    }
  }
  scf.for %i = %c0 to %c32 step %c1 {
    scf.for %j = %c0 to %c24 step %c1 {
      %x = func.call @start(%i, %j) : (index, index) -> f32
      memref.store %x, %want[%i, %j] : memref<32x24xf32>
    }
  }
  func.call @on_host(%want) : (memref<32x24xf32>) -> ()
  %hash, %wrong = scf.for %i = %c0 to %c32 step %c1 iter_args(%h0 = %basis, %w0 = %i0) -> (i64, i32) {
    %h3, %w3 = scf.for %j = %c0 to %c24 step %c1 iter_args(%h1 = %h0, %w1 = %w0) -> (i64, i32) {
      %x = memref.load %plate[%i, %j] : memref<32x24xf32>
      %y = memref.load %want[%i, %j] : memref<32x24xf32>
      %xb = arith.bitcast %x : f32 to i32
      %yb = arith.bitcast %y : f32 to i32
      %bits = arith.extui %xb : i32 to i64
      %mixed = arith.xori %h1, %bits : i64
      %h2 = arith.muli %mixed, %prime : i64
      %differs = arith.cmpi ne, %xb, %yb : i32
      %more = arith.addi %w1, %i1 : i32
      %w2 = arith.select %differs, %more, %w1 : i32
      scf.yield %h2, %w2 : i64, i32
    }
    scf.yield %h3, %w3 : i64, i32
  }
  func.call @printI64(%hash) : (i64) -> ()
  func.call @printNewline() : () -> ()
  memref.dealloc %plate : memref<32x24xf32>
  memref.dealloc %want : memref<32x24xf32>
  return %wrong : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c24 = arith.constant 24 : index
  %c32 = arith.constant 32 : index
  %c100 = arith.constant 100 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %upwards = arith.constant 1 : i32
  %downwards = arith.constant 2 : i32
  %whole = arith.constant 3 : i32
  %zero = arith.constant 0.0 : f32
  %threshold = arith.constant 5.0 : f32
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
  %rows = arith.divui %c32, %ranks : index
  %offset = arith.muli %me, %rows : index
  %prev = arith.subi %rank, %i1 : i32
  %succ = arith.addi %rank, %i1 : i32
  %has_prev = arith.cmpi ne, %rank, %i0 : i32
  %has_succ = arith.cmpi ne, %succ, %size : i32

  %host = memref.alloc(%rows) : memref<?x24xf32>
  scf.for %i = %c0 to %rows step %c1 {
    %row = arith.addi %offset, %i : index
    scf.for %j = %c0 to %c24 step %c1 {
      %x = func.call @start(%row, %j) : (index, index) -> f32
      memref.store %x, %host[%i, %j] : memref<?x24xf32>
    }
  }
  %top = memref.alloc() : memref<24xf32>
  %bottom = memref.alloc() : memref<24xf32>
  %above = memref.alloc() : memref<24xf32>
  %below = memref.alloc() : memref<24xf32>
  scf.for %j = %c0 to %c24 step %c1 {
    memref.store %zero, %above[%j] : memref<24xf32>
    memref.store %zero, %below[%j] : memref<24xf32>
  }

  %a = gpu.alloc(%rows) : memref<?x24xf32>
  %b = gpu.alloc(%rows) : memref<?x24xf32>
  %dtop = gpu.alloc() : memref<24xf32>
  %dbottom = gpu.alloc() : memref<24xf32>
  %dabove = gpu.alloc() : memref<24xf32>
  %dbelow = gpu.alloc() : memref<24xf32>
  gpu.memcpy %a, %host : memref<?x24xf32>, memref<?x24xf32>
  %now, %then = scf.for %s = %c0 to %c100 step %c1 iter_args(%from = %a, %to = %b) -> (memref<?x24xf32>, memref<?x24xf32>) {
    func.call @pack(%rows, %from, %dtop, %dbottom) : (index, memref<?x24xf32>, memref<24xf32>, memref<24xf32>) -> ()
    gpu.memcpy %top, %dtop : memref<24xf32>, memref<24xf32>
    gpu.memcpy %bottom, %dbottom : memref<24xf32>, memref<24xf32>
    // Upwards, then downwards: a chain, in which no two ranks wait for each other.
    scf.if %has_prev {
      mpi.send(%top, %upwards, %prev, %comm) : memref<24xf32>, i32, i32
    }
    scf.if %has_succ {
      mpi.recv(%below, %upwards, %succ, %comm) : memref<24xf32>, i32, i32
      mpi.send(%bottom, %downwards, %succ, %comm) : memref<24xf32>, i32, i32
    }
    scf.if %has_prev {
      mpi.recv(%above, %downwards, %prev, %comm) : memref<24xf32>, i32, i32
    }
    gpu.memcpy %dabove, %above : memref<24xf32>, memref<24xf32>
    gpu.memcpy %dbelow, %below : memref<24xf32>, memref<24xf32>
    func.call @step(%rows, %from, %dabove, %dbelow, %to) : (index, memref<?x24xf32>, memref<24xf32>, memref<24xf32>, memref<?x24xf32>) -> ()
    scf.yield %to, %from : memref<?x24xf32>, memref<?x24xf32>
  }
  gpu.memcpy %host, %now : memref<?x24xf32>, memref<?x24xf32>

  %mine = scf.for %i = %c0 to %rows step %c1 iter_args(%n0 = %i0) -> (i32) {
    %n2 = scf.for %j = %c0 to %c24 step %c1 iter_args(%n1 = %n0) -> (i32) {
      %x = memref.load %host[%i, %j] : memref<?x24xf32>
      %is = arith.cmpf ogt, %x, %threshold : f32
      %more = arith.addi %n1, %i1 : i32
      %n = arith.select %is, %more, %n1 : i32
      scf.yield %n : i32
    }
    scf.yield %n2 : i32
  }
  memref.store %mine, %one[%c0] : memref<1xi32>
  mpi.allreduce(%one, %sum, MPI_SUM, %comm) : memref<1xi32>, memref<1xi32>

  %wrong = scf.if %has_prev -> i32 {
    %zeroth = arith.constant 0 : i32
    %flat = memref.collapse_shape %host [[0, 1]] : memref<?x24xf32> into memref<?xf32>
    mpi.send(%flat, %whole, %zeroth, %comm) : memref<?xf32>, i32, i32
    scf.yield %i0 : i32
  } else {
    %all = memref.load %sum[%c0] : memref<1xi32>
    %wide = arith.extsi %all : i32 to i64
    func.call @printI64(%wide) : (i64) -> ()
    func.call @printNewline() : () -> ()
    %w = func.call @collect(%comm, %ranks, %rows, %host) : (!mpi.comm, index, index, memref<?x24xf32>) -> i32
    scf.yield %w : i32
  }
  gpu.dealloc %a : memref<?x24xf32>
  gpu.dealloc %b : memref<?x24xf32>
  gpu.dealloc %dtop : memref<24xf32>
  gpu.dealloc %dbottom : memref<24xf32>
  gpu.dealloc %dabove : memref<24xf32>
  gpu.dealloc %dbelow : memref<24xf32>
  %e2 = mpi.finalize : !mpi.retval
  %status = arith.minui %wrong, %max : i32
  return %status : i32
}
}
