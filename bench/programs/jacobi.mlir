// A Jacobi solver for Laplace's equation in 2-D, 256 x 256: 1000 sweeps, with the residual
// read back every 50. jacobi_asked records what is between two readings as a
// region and launches it again.

module attributes {gpu.container_module} {
  gpu.module @jacobi_RELEASE_kernels {
    gpu.func @sweep(%a: memref<65536xf32>, %b: memref<65536xf32>) kernel {
      %y = gpu.block_id x
      %x = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c255 = arith.constant 255 : index
      %c256 = arith.constant 256 : index
      %row = arith.muli %y, %c256 : index
      %i = arith.addi %row, %x : index
      %top = arith.cmpi eq, %y, %c0 : index
      %bottom = arith.cmpi eq, %y, %c255 : index
      %left = arith.cmpi eq, %x, %c0 : index
      %right = arith.cmpi eq, %x, %c255 : index
      %e0 = arith.ori %top, %bottom : i1
      %e1 = arith.ori %left, %right : i1
      %edge = arith.ori %e0, %e1 : i1
      scf.if %edge {
        %v = memref.load %a[%i] : memref<65536xf32>
        memref.store %v, %b[%i] : memref<65536xf32>
      } else {
        %quarter = arith.constant 0.25 : f32
        %in = arith.subi %i, %c256 : index
        %is = arith.addi %i, %c256 : index
        %iw = arith.subi %i, %c1 : index
        %ie = arith.addi %i, %c1 : index
        %n = memref.load %a[%in] : memref<65536xf32>
        %s = memref.load %a[%is] : memref<65536xf32>
        %w = memref.load %a[%iw] : memref<65536xf32>
        %e = memref.load %a[%ie] : memref<65536xf32>
        %ns = arith.addf %n, %s : f32
        %we = arith.addf %w, %e : f32
        %all = arith.addf %ns, %we : f32
        %v = arith.mulf %all, %quarter : f32
        memref.store %v, %b[%i] : memref<65536xf32>
      }
      gpu.return
    }

    // 1024 sums of the squares of 64 differences each.
    gpu.func @residual(%a: memref<65536xf32>, %b: memref<65536xf32>, %p: memref<1024xf32>) kernel {
      %g = gpu.block_id x
      %l = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c256 = arith.constant 256 : index
      %c1024 = arith.constant 1024 : index
      %zero = arith.constant 0.0 : f32
      %g256 = arith.muli %g, %c256 : index
      %t = arith.addi %g256, %l : index
      %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%s = %zero) -> f32 {
        %k1024 = arith.muli %k, %c1024 : index
        %i = arith.addi %k1024, %t : index
        %u = memref.load %a[%i] : memref<65536xf32>
        %v = memref.load %b[%i] : memref<65536xf32>
        %d = arith.subf %u, %v : f32
        %dd = arith.mulf %d, %d : f32
        %next = arith.addf %s, %dd : f32
        scf.yield %next : f32
      }
      memref.store %sum, %p[%t] : memref<1024xf32>
      gpu.return
    }
  }

  func.func private @mgpuxGraphBegin(i64) -> i32
  func.func private @mgpuxGraphEnd() -> i32
  llvm.func @mgpuxGraphLaunch(i64, !llvm.ptr)
  llvm.func @mgpuStreamCreate() -> !llvm.ptr
  llvm.func @mgpuStreamSynchronize(!llvm.ptr)
  llvm.func @mgpuStreamDestroy(!llvm.ptr)
  llvm.func @mgpuMemcpy(!llvm.ptr, !llvm.ptr, i64, !llvm.ptr)

  func.func private @jacobi_sum_RELEASE(%h: memref<1024xf32>) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 1024 : index
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {
      %v = memref.load %h[%i] : memref<1024xf32>
      %t = arith.addf %s, %v : f32
      scf.yield %t : f32
    }
    return %sum : f32
  }

  func.func private @jacobi_sweeps_RELEASE(%a: memref<65536xf32>, %b: memref<65536xf32>, %p: memref<1024xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c25 = arith.constant 25 : index
    %c256 = arith.constant 256 : index
    scf.for %j = %c0 to %c25 step %c1 {
      gpu.launch_func @jacobi_RELEASE_kernels::@sweep blocks in (%c256, %c1, %c1) threads in (%c256, %c1, %c1)
          args(%a : memref<65536xf32>, %b : memref<65536xf32>)
      gpu.launch_func @jacobi_RELEASE_kernels::@sweep blocks in (%c256, %c1, %c1) threads in (%c256, %c1, %c1)
          args(%b : memref<65536xf32>, %a : memref<65536xf32>)
    }
    gpu.launch_func @jacobi_RELEASE_kernels::@residual blocks in (%c4, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%a : memref<65536xf32>, %b : memref<65536xf32>, %p : memref<1024xf32>)
    return
  }

  func.func @jacobi_RELEASE(%a: memref<65536xf32>, %b: memref<65536xf32>, %p: memref<1024xf32>, %h: memref<1024xf32>) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %zero = arith.constant 0.0 : f32
    %last = scf.for %i = %c0 to %c20 step %c1 iter_args(%r = %zero) -> f32 {
      func.call @jacobi_sweeps_RELEASE(%a, %b, %p) : (memref<65536xf32>, memref<65536xf32>, memref<1024xf32>) -> ()
      gpu.memcpy %h, %p : memref<1024xf32>, memref<1024xf32>
      %sum = func.call @jacobi_sum_RELEASE(%h) : (memref<1024xf32>) -> f32
      scf.yield %sum : f32
    }
    return %last : f32
  }

  func.func @jacobi_asked_RELEASE(%a: memref<65536xf32>, %b: memref<65536xf32>, %p: memref<1024xf32>, %h: memref<1024xf32>) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c19 = arith.constant 19 : index
    %key = arith.constant 1RELEASE : i64
    %begun = func.call @mgpuxGraphBegin(%key) : (i64) -> i32
    func.call @jacobi_sweeps_RELEASE(%a, %b, %p) : (memref<65536xf32>, memref<65536xf32>, memref<1024xf32>) -> ()
    %launched = func.call @mgpuxGraphEnd() : () -> i32
    gpu.memcpy %h, %p : memref<1024xf32>, memref<1024xf32>
    %first = func.call @jacobi_sum_RELEASE(%h) : (memref<1024xf32>) -> f32
    %stream = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
    %bytes = arith.constant 4096 : i64
    %hi = memref.extract_aligned_pointer_as_index %h : memref<1024xf32> -> index
    %pi = memref.extract_aligned_pointer_as_index %p : memref<1024xf32> -> index
    %hn = arith.index_cast %hi : index to i64
    %pn = arith.index_cast %pi : index to i64
    %hp = llvm.inttoptr %hn : i64 to !llvm.ptr
    %pp = llvm.inttoptr %pn : i64 to !llvm.ptr
    %last = scf.for %i = %c0 to %c19 step %c1 iter_args(%r = %first) -> f32 {
      llvm.call @mgpuxGraphLaunch(%key, %stream) : (i64, !llvm.ptr) -> ()
      llvm.call @mgpuMemcpy(%hp, %pp, %bytes, %stream) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
      llvm.call @mgpuStreamSynchronize(%stream) : (!llvm.ptr) -> ()
      %sum = func.call @jacobi_sum_RELEASE(%h) : (memref<1024xf32>) -> f32
      scf.yield %sum : f32
    }
    llvm.call @mgpuStreamDestroy(%stream) : (!llvm.ptr) -> ()
    return %last : f32
  }
}
