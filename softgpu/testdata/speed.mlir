// Kernels whose speed `make bench` measures, as MLIR lowers them: pointers of 64
// bits, memrefs in pieces, nothing unrolled by hand.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @naive(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %sx = gpu.block_dim x
      %sy = gpu.block_dim y
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %col0 = arith.muli %bx, %sx : index
      %col = arith.addi %col0, %tx : index
      %row0 = arith.muli %by, %sy : index
      %row = arith.addi %row0, %ty : index
      %n = memref.dim %a, %c1 : memref<?x?xf32>
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
        %u = memref.load %a[%row, %k] : memref<?x?xf32>
        %v = memref.load %b[%k, %col] : memref<?x?xf32>
        %p = arith.mulf %u, %v : f32
        %s = arith.addf %acc, %p : f32
        scf.yield %s : f32
      }
      memref.store %sum, %c[%row, %col] : memref<?x?xf32>
      gpu.return
    }

    gpu.func @tiled(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>)
        workgroup(%ta: memref<16x16xf32, 3>, %tb: memref<16x16xf32, 3>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %zero = arith.constant 0.0 : f32
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %row0 = arith.muli %by, %c16 : index
      %row = arith.addi %row0, %ty : index
      %col0 = arith.muli %bx, %c16 : index
      %col = arith.addi %col0, %tx : index
      %n = memref.dim %a, %c1 : memref<?x?xf32>
      %sum = scf.for %k0 = %c0 to %n step %c16 iter_args(%outer = %zero) -> (f32) {
        %ka = arith.addi %k0, %tx : index
        %kb = arith.addi %k0, %ty : index
        %x = memref.load %a[%row, %ka] : memref<?x?xf32>
        %y = memref.load %b[%kb, %col] : memref<?x?xf32>
        memref.store %x, %ta[%ty, %tx] : memref<16x16xf32, 3>
        memref.store %y, %tb[%ty, %tx] : memref<16x16xf32, 3>
        gpu.barrier
        %part = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %outer) -> (f32) {
          %u = memref.load %ta[%ty, %k] : memref<16x16xf32, 3>
          %v = memref.load %tb[%k, %tx] : memref<16x16xf32, 3>
          %p = arith.mulf %u, %v : f32
          %s = arith.addf %acc, %p : f32
          scf.yield %s : f32
        }
        gpu.barrier
        scf.yield %part : f32
      }
      memref.store %sum, %c[%row, %col] : memref<?x?xf32>
      gpu.return
    }

    // A row to a work-item.
    gpu.func @softmax(%in: memref<?x?xf32>, %out: memref<?x?xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %bx = gpu.block_id x
      %sx = gpu.block_dim x
      %tx = gpu.thread_id x
      %row0 = arith.muli %bx, %sx : index
      %row = arith.addi %row0, %tx : index
      %n = memref.dim %in, %c1 : memref<?x?xf32>
      %first = memref.load %in[%row, %c0] : memref<?x?xf32>
      %max = scf.for %j = %c0 to %n step %c1 iter_args(%m = %first) -> (f32) {
        %v = memref.load %in[%row, %j] : memref<?x?xf32>
        %next = arith.maximumf %v, %m : f32
        scf.yield %next : f32
      }
      %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
        %v = memref.load %in[%row, %j] : memref<?x?xf32>
        %d = arith.subf %v, %max : f32
        %e = math.exp %d : f32
        memref.store %e, %out[%row, %j] : memref<?x?xf32>
        %next = arith.addf %s, %e : f32
        scf.yield %next : f32
      }
      scf.for %j = %c0 to %n step %c1 {
        %e = memref.load %out[%row, %j] : memref<?x?xf32>
        %q = arith.divf %e, %sum : f32
        memref.store %q, %out[%row, %j] : memref<?x?xf32>
      }
      gpu.return
    }

    gpu.func @stencil(%in: memref<?x?xf32>, %out: memref<?x?xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %fifth = arith.constant 0.2 : f32
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %sx = gpu.block_dim x
      %sy = gpu.block_dim y
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %x0 = arith.muli %bx, %sx : index
      %x = arith.addi %x0, %tx : index
      %y0 = arith.muli %by, %sy : index
      %y = arith.addi %y0, %ty : index
      %n = memref.dim %in, %c1 : memref<?x?xf32>
      %last = arith.subi %n, %c1 : index
      %a = arith.cmpi ugt, %x, %c0 : index
      %b = arith.cmpi ugt, %y, %c0 : index
      %c = arith.cmpi ult, %x, %last : index
      %d = arith.cmpi ult, %y, %last : index
      %ab = arith.andi %a, %b : i1
      %cd = arith.andi %c, %d : i1
      %inside = arith.andi %ab, %cd : i1
      scf.if %inside {
        %left = arith.subi %x, %c1 : index
        %right = arith.addi %x, %c1 : index
        %up = arith.subi %y, %c1 : index
        %down = arith.addi %y, %c1 : index
        %m = memref.load %in[%y, %x] : memref<?x?xf32>
        %l = memref.load %in[%y, %left] : memref<?x?xf32>
        %r = memref.load %in[%y, %right] : memref<?x?xf32>
        %u = memref.load %in[%up, %x] : memref<?x?xf32>
        %w = memref.load %in[%down, %x] : memref<?x?xf32>
        %s0 = arith.addf %m, %l : f32
        %s1 = arith.addf %s0, %r : f32
        %s2 = arith.addf %s1, %u : f32
        %s3 = arith.addf %s2, %w : f32
        %s = arith.mulf %s3, %fifth : f32
        memref.store %s, %out[%y, %x] : memref<?x?xf32>
      }
      gpu.return
    }

    gpu.func @add(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) kernel {
      %bx = gpu.block_id x
      %sx = gpu.block_dim x
      %tx = gpu.thread_id x
      %i0 = arith.muli %bx, %sx : index
      %i = arith.addi %i0, %tx : index
      %x = memref.load %a[%i] : memref<?xf32>
      %y = memref.load %b[%i] : memref<?xf32>
      %s = arith.addf %x, %y : f32
      memref.store %s, %c[%i] : memref<?xf32>
      gpu.return
    }

    // Sums up to each of 256 numbers, per workgroup of 256.
    gpu.func @scan(%in: memref<?xf32>, %out: memref<?xf32>) workgroup(%part: memref<256xf32, 3>) kernel {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c256 = arith.constant 256 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %begin = arith.muli %b, %c256 : index
      %at = arith.addi %begin, %t : index
      %own = memref.load %in[%at] : memref<?xf32>
      %end:2 = scf.while (%step = %c1, %sum = %own) : (index, f32) -> (index, f32) {
        %go = arith.cmpi ult, %step, %c256 : index
        scf.condition(%go) %step, %sum : index, f32
      } do {
      ^bb0(%step: index, %sum: f32):
        memref.store %sum, %part[%t] : memref<256xf32, 3>
        gpu.barrier
        %takes = arith.cmpi uge, %t, %step : index
        %next = scf.if %takes -> (f32) {
          %other = arith.subi %t, %step : index
          %v = memref.load %part[%other] : memref<256xf32, 3>
          %s = arith.addf %sum, %v : f32
          scf.yield %s : f32
        } else {
          scf.yield %sum : f32
        }
        gpu.barrier
        %twice = arith.muli %step, %c2 : index
        scf.yield %twice, %next : index, f32
      }
      memref.store %end#1, %out[%at] : memref<?xf32>
      gpu.return
    }

    // Sums 4096 numbers per workgroup of 256.
    gpu.func @reduction(%in: memref<?xf32>, %out: memref<?xf32>) workgroup(%part: memref<256xf32, 3>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c16 = arith.constant 16 : index
      %c128 = arith.constant 128 : index
      %c256 = arith.constant 256 : index
      %c4096 = arith.constant 4096 : index
      %zero = arith.constant 0.0 : f32
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %begin = arith.muli %b, %c4096 : index
      %first = arith.addi %begin, %t : index
      %mine = scf.for %j = %c0 to %c16 step %c1 iter_args(%s = %zero) -> (f32) {
        %o = arith.muli %j, %c256 : index
        %i = arith.addi %first, %o : index
        %x = memref.load %in[%i] : memref<?xf32>
        %next = arith.addf %s, %x : f32
        scf.yield %next : f32
      }
      memref.store %mine, %part[%t] : memref<256xf32, 3>
      gpu.barrier
      %end = scf.while (%half = %c128) : (index) -> index {
        %go = arith.cmpi ugt, %half, %c0 : index
        scf.condition(%go) %half : index
      } do {
      ^bb0(%half: index):
        %takes_part = arith.cmpi ult, %t, %half : index
        scf.if %takes_part {
          %other = arith.addi %t, %half : index
          %u = memref.load %part[%t] : memref<256xf32, 3>
          %v = memref.load %part[%other] : memref<256xf32, 3>
          %s = arith.addf %u, %v : f32
          memref.store %s, %part[%t] : memref<256xf32, 3>
        }
        gpu.barrier
        %quarter = arith.divui %half, %c2 : index
        scf.yield %quarter : index
      }
      %leads = arith.cmpi eq, %t, %c0 : index
      scf.if %leads {
        %s = memref.load %part[%c0] : memref<256xf32, 3>
        memref.store %s, %out[%b] : memref<?xf32>
      }
      gpu.return
    }
  }
}
