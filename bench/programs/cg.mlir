// Conjugate gradients for Laplace's equation in 2-D, 128 x 128: 100 turns, each of which
// reads two dot products back. cg_asked makes regions of what is between two readings.

module attributes {gpu.container_module} {
  gpu.module @cg_RELEASE_kernels {
    // q = A p, four times a point less its neighbours; what is beyond the edge is zero.
    gpu.func @apply(%p: memref<16384xf32>, %q: memref<16384xf32>) kernel {
      %y = gpu.block_id x
      %x = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c127 = arith.constant 127 : index
      %c128 = arith.constant 128 : index
      %zero = arith.constant 0.0 : f32
      %four = arith.constant 4.0 : f32
      %row = arith.muli %y, %c128 : index
      %i = arith.addi %row, %x : index
      %here = memref.load %p[%i] : memref<16384xf32>
      %h4 = arith.mulf %here, %four : f32
      %hasn = arith.cmpi ne, %y, %c0 : index
      %vn = scf.if %hasn -> f32 {
        %j = arith.subi %i, %c128 : index
        %v = memref.load %p[%j] : memref<16384xf32>
        scf.yield %v : f32
      } else {
        scf.yield %zero : f32
      }
      %lessn = arith.subf %h4, %vn : f32
      %hass = arith.cmpi ne, %y, %c127 : index
      %vs = scf.if %hass -> f32 {
        %j = arith.addi %i, %c128 : index
        %v = memref.load %p[%j] : memref<16384xf32>
        scf.yield %v : f32
      } else {
        scf.yield %zero : f32
      }
      %lesss = arith.subf %lessn, %vs : f32
      %hasw = arith.cmpi ne, %x, %c0 : index
      %vw = scf.if %hasw -> f32 {
        %j = arith.subi %i, %c1 : index
        %v = memref.load %p[%j] : memref<16384xf32>
        scf.yield %v : f32
      } else {
        scf.yield %zero : f32
      }
      %lessw = arith.subf %lesss, %vw : f32
      %hase = arith.cmpi ne, %x, %c127 : index
      %ve = scf.if %hase -> f32 {
        %j = arith.addi %i, %c1 : index
        %v = memref.load %p[%j] : memref<16384xf32>
        scf.yield %v : f32
      } else {
        scf.yield %zero : f32
      }
      %lesse = arith.subf %lessw, %ve : f32
      memref.store %lesse, %q[%i] : memref<16384xf32>
      gpu.return
    }

    // 256 sums of 64 products each.
    gpu.func @dot(%a: memref<16384xf32>, %b: memref<16384xf32>, %p: memref<256xf32>) kernel {
      %g = gpu.block_id x
      %l = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c256 = arith.constant 256 : index
      %zero = arith.constant 0.0 : f32
      %g64 = arith.muli %g, %c64 : index
      %t = arith.addi %g64, %l : index
      %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%s = %zero) -> f32 {
        %k256 = arith.muli %k, %c256 : index
        %i = arith.addi %k256, %t : index
        %u = memref.load %a[%i] : memref<16384xf32>
        %v = memref.load %b[%i] : memref<16384xf32>
        %uv = arith.mulf %u, %v : f32
        %next = arith.addf %s, %uv : f32
        scf.yield %next : f32
      }
      memref.store %sum, %p[%t] : memref<256xf32>
      gpu.return
    }

    gpu.func @update(%x: memref<16384xf32>, %r: memref<16384xf32>, %p: memref<16384xf32>, %q: memref<16384xf32>, %alpha: f32) kernel {
      %g = gpu.block_id x
      %l = gpu.thread_id x
      %c128 = arith.constant 128 : index
      %g128 = arith.muli %g, %c128 : index
      %i = arith.addi %g128, %l : index
      %pv = memref.load %p[%i] : memref<16384xf32>
      %qv = memref.load %q[%i] : memref<16384xf32>
      %xv = memref.load %x[%i] : memref<16384xf32>
      %rv = memref.load %r[%i] : memref<16384xf32>
      %ap = arith.mulf %alpha, %pv : f32
      %aq = arith.mulf %alpha, %qv : f32
      %xn = arith.addf %xv, %ap : f32
      %rn = arith.subf %rv, %aq : f32
      memref.store %xn, %x[%i] : memref<16384xf32>
      memref.store %rn, %r[%i] : memref<16384xf32>
      gpu.return
    }

    gpu.func @direction(%p: memref<16384xf32>, %r: memref<16384xf32>, %beta: f32) kernel {
      %g = gpu.block_id x
      %l = gpu.thread_id x
      %c128 = arith.constant 128 : index
      %g128 = arith.muli %g, %c128 : index
      %i = arith.addi %g128, %l : index
      %pv = memref.load %p[%i] : memref<16384xf32>
      %rv = memref.load %r[%i] : memref<16384xf32>
      %bp = arith.mulf %beta, %pv : f32
      %pn = arith.addf %rv, %bp : f32
      memref.store %pn, %p[%i] : memref<16384xf32>
      gpu.return
    }
  }

  func.func private @mgpuxGraphBegin(i64) -> i32
  func.func private @mgpuxGraphEnd() -> i32

  func.func private @cg_sum_RELEASE(%h: memref<256xf32>) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {
      %v = memref.load %h[%i] : memref<256xf32>
      %t = arith.addf %s, %v : f32
      scf.yield %t : f32
    }
    return %sum : f32
  }

  // r and p hold the right-hand side, x zeros; the square of the residual's norm comes back.
  func.func @cg_RELEASE(%x: memref<16384xf32>, %r: memref<16384xf32>, %p: memref<16384xf32>, %q: memref<16384xf32>, %s: memref<256xf32>, %h: memref<256xf32>) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %c100 = arith.constant 100 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @cg_RELEASE_kernels::@dot blocks in (%c4, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%r : memref<16384xf32>, %r : memref<16384xf32>, %s : memref<256xf32>)
    gpu.memcpy %h, %s : memref<256xf32>, memref<256xf32>
    %first = func.call @cg_sum_RELEASE(%h) : (memref<256xf32>) -> f32
    %zero = arith.constant 0.0 : f32
    %end:2 = scf.for %i = %c0 to %c100 step %c1 iter_args(%rr = %first, %beta = %zero) -> (f32, f32) {
      gpu.launch_func @cg_RELEASE_kernels::@direction blocks in (%c128, %c1, %c1) threads in (%c128, %c1, %c1)
          args(%p : memref<16384xf32>, %r : memref<16384xf32>, %beta : f32)
      gpu.launch_func @cg_RELEASE_kernels::@apply blocks in (%c128, %c1, %c1) threads in (%c128, %c1, %c1)
          args(%p : memref<16384xf32>, %q : memref<16384xf32>)
      gpu.launch_func @cg_RELEASE_kernels::@dot blocks in (%c4, %c1, %c1) threads in (%c64, %c1, %c1)
          args(%p : memref<16384xf32>, %q : memref<16384xf32>, %s : memref<256xf32>)
      gpu.memcpy %h, %s : memref<256xf32>, memref<256xf32>
      %pq = func.call @cg_sum_RELEASE(%h) : (memref<256xf32>) -> f32
      %alpha = arith.divf %rr, %pq : f32
      gpu.launch_func @cg_RELEASE_kernels::@update blocks in (%c128, %c1, %c1) threads in (%c128, %c1, %c1)
          args(%x : memref<16384xf32>, %r : memref<16384xf32>, %p : memref<16384xf32>, %q : memref<16384xf32>, %alpha : f32)
      gpu.launch_func @cg_RELEASE_kernels::@dot blocks in (%c4, %c1, %c1) threads in (%c64, %c1, %c1)
          args(%r : memref<16384xf32>, %r : memref<16384xf32>, %s : memref<256xf32>)
      gpu.memcpy %h, %s : memref<256xf32>, memref<256xf32>
      %next = func.call @cg_sum_RELEASE(%h) : (memref<256xf32>) -> f32
      %nextbeta = arith.divf %next, %rr : f32
      scf.yield %next, %nextbeta : f32, f32
    }
    return %end#0 : f32
  }

  // r and p hold the right-hand side, x zeros; the square of the residual's norm comes back.
  func.func @cg_asked_RELEASE(%x: memref<16384xf32>, %r: memref<16384xf32>, %p: memref<16384xf32>, %q: memref<16384xf32>, %s: memref<256xf32>, %h: memref<256xf32>) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %c100 = arith.constant 100 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @cg_RELEASE_kernels::@dot blocks in (%c4, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%r : memref<16384xf32>, %r : memref<16384xf32>, %s : memref<256xf32>)
    gpu.memcpy %h, %s : memref<256xf32>, memref<256xf32>
    %first = func.call @cg_sum_RELEASE(%h) : (memref<256xf32>) -> f32
    %zero = arith.constant 0.0 : f32
    %end:2 = scf.for %i = %c0 to %c100 step %c1 iter_args(%rr = %first, %beta = %zero) -> (f32, f32) {
      %key2 = arith.constant 2RELEASE : i64
      %begun2 = func.call @mgpuxGraphBegin(%key2) : (i64) -> i32
      gpu.launch_func @cg_RELEASE_kernels::@direction blocks in (%c128, %c1, %c1) threads in (%c128, %c1, %c1)
          args(%p : memref<16384xf32>, %r : memref<16384xf32>, %beta : f32)
      gpu.launch_func @cg_RELEASE_kernels::@apply blocks in (%c128, %c1, %c1) threads in (%c128, %c1, %c1)
          args(%p : memref<16384xf32>, %q : memref<16384xf32>)
      gpu.launch_func @cg_RELEASE_kernels::@dot blocks in (%c4, %c1, %c1) threads in (%c64, %c1, %c1)
          args(%p : memref<16384xf32>, %q : memref<16384xf32>, %s : memref<256xf32>)
      %launched2 = func.call @mgpuxGraphEnd() : () -> i32
      gpu.memcpy %h, %s : memref<256xf32>, memref<256xf32>
      %pq = func.call @cg_sum_RELEASE(%h) : (memref<256xf32>) -> f32
      %alpha = arith.divf %rr, %pq : f32
      %key3 = arith.constant 3RELEASE : i64
      %begun3 = func.call @mgpuxGraphBegin(%key3) : (i64) -> i32
      gpu.launch_func @cg_RELEASE_kernels::@update blocks in (%c128, %c1, %c1) threads in (%c128, %c1, %c1)
          args(%x : memref<16384xf32>, %r : memref<16384xf32>, %p : memref<16384xf32>, %q : memref<16384xf32>, %alpha : f32)
      gpu.launch_func @cg_RELEASE_kernels::@dot blocks in (%c4, %c1, %c1) threads in (%c64, %c1, %c1)
          args(%r : memref<16384xf32>, %r : memref<16384xf32>, %s : memref<256xf32>)
      %launched3 = func.call @mgpuxGraphEnd() : () -> i32
      gpu.memcpy %h, %s : memref<256xf32>, memref<256xf32>
      %next = func.call @cg_sum_RELEASE(%h) : (memref<256xf32>) -> f32
      %nextbeta = arith.divf %next, %rr : f32
      scf.yield %next, %nextbeta : f32, f32
    }
    return %end#0 : f32
  }
}
