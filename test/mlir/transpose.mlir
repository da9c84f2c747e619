// A 48x80 matrix transposed through a padded tile in workgroup memory.
//
// RUN: %each_way gpu %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @transpose(%in: memref<48x80xi32>, %out: memref<80x48xi32>)
        workgroup(%tile: memref<16x17xi32, 3>) kernel {
      %c16 = arith.constant 16 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %x0 = arith.muli %bx, %c16 : index
      %y0 = arith.muli %by, %c16 : index
      %x = arith.addi %x0, %tx : index
      %y = arith.addi %y0, %ty : index
      %v = memref.load %in[%y, %x] : memref<48x80xi32>
      memref.store %v, %tile[%ty, %tx] : memref<16x17xi32, 3>
      gpu.barrier
      %w = memref.load %tile[%tx, %ty] : memref<16x17xi32, 3>
      %row = arith.addi %x0, %ty : index
      %col = arith.addi %y0, %tx : index
      memref.store %w, %out[%row, %col] : memref<80x48xi32>
      gpu.return
    }
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c16 = arith.constant 16 : index
    %c48 = arith.constant 48 : index
    %c80 = arith.constant 80 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %in = memref.alloc() : memref<48x80xi32>
    %out = memref.alloc() : memref<80x48xi32>
    scf.for %i = %c0 to %c48 step %c1 {
      scf.for %j = %c0 to %c80 step %c1 {
        %r = arith.muli %i, %c80 : index
        %s = arith.addi %r, %j : index
        %v = arith.index_cast %s : index to i32
        memref.store %v, %in[%i, %j] : memref<48x80xi32>
      }
    }
    gpu.launch_func @kernels::@transpose blocks in (%c5, %c3, %c1) threads in (%c16, %c16, %c1)
        args(%in : memref<48x80xi32>, %out : memref<80x48xi32>)
    %wrong = scf.for %i = %c0 to %c48 step %c1 iter_args(%wi = %zero) -> (i32) {
      %row = scf.for %j = %c0 to %c80 step %c1 iter_args(%w = %wi) -> (i32) {
        %r = arith.muli %i, %c80 : index
        %s = arith.addi %r, %j : index
        %want = arith.index_cast %s : index to i32
        %got = memref.load %out[%j, %i] : memref<80x48xi32>
        %bad = arith.cmpi ne, %got, %want : i32
        %more = arith.addi %w, %one : i32
        %next = arith.select %bad, %more, %w : i32
        scf.yield %next : i32
      }
      scf.yield %row : i32
    }
    %most = arith.constant 255 : i32
    %status = arith.minui %wrong, %most : i32
    return %status : i32
  }
}
