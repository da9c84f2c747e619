// Rank 1 dies while rank 0 waits for a kernel that never ends. What it dies of is the
// number of arguments: none, killed; one, MPI_Abort; two, exit without MPI_Finalize.

module attributes {dlti.map = #dlti.map<"MPI:Implementation" = "OpenMPI">} {

func.func private @raise(i32) -> i32
func.func private @exit(i32)
func.func private @MPI_Abort(!mpi.comm, i32) -> i32

func.func @spin(%stop: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    scf.while : () -> () {
      %seen = memref.atomic_rmw addi %none, %stop[%c0] : (i32, memref<1xi32>) -> i32
      %on = arith.cmpi eq, %seen, %none : i32
      scf.condition(%on)
    } do {
      scf.yield
    }
    gpu.terminator
  }
  return
}

func.func @main(%argc: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %sigkill = arith.constant 9 : i32
  %code = arith.constant 7 : i32
  %tag = arith.constant 1 : i32
  %e0 = mpi.init : !mpi.retval
  %comm = mpi.comm_world : !mpi.comm
  %e1, %rank = mpi.comm_rank(%comm) : !mpi.retval, i32
  %word = memref.alloc() : memref<1xi32>
  memref.store %i0, %word[%c0] : memref<1xi32>
  %stop = gpu.alloc() : memref<1xi32>
  gpu.memcpy %stop, %word : memref<1xi32>, memref<1xi32>
  %first = arith.cmpi eq, %rank, %i0 : i32
  scf.if %first {
    mpi.send(%word, %tag, %i1, %comm) : memref<1xi32>, i32, i32
    func.call @spin(%stop) : (memref<1xi32>) -> ()
  } else {
    mpi.recv(%word, %tag, %i0, %comm) : memref<1xi32>, i32, i32
    %kill = arith.cmpi eq, %argc, %i1 : i32
    scf.if %kill {
      %s = func.call @raise(%sigkill) : (i32) -> i32
    }
    %abort = arith.cmpi eq, %argc, %i2 : i32
    scf.if %abort {
      %s = func.call @MPI_Abort(%comm, %code) : (!mpi.comm, i32) -> i32
    }
    func.call @exit(%i3) : (i32) -> ()
  }
  return %i0 : i32
}
}
