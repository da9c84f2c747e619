// The heat equation in 1-D, 16384 points, by the midpoint method: 1000 steps, each of which
// allocates three temporaries. heat_asked records a region of 50 steps and launches it again.

module attributes {gpu.container_module} {
  gpu.module @heat_RELEASE_kernels {
    // k = the second difference of u; the ends stay as they are.
    gpu.func @slope(%k: memref<16384xf32>, %u: memref<16384xf32>) kernel {
      %g = gpu.block_id x
      %l = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c128 = arith.constant 128 : index
      %last = arith.constant 16383 : index
      %g128 = arith.muli %g, %c128 : index
      %i = arith.addi %g128, %l : index
      %first = arith.cmpi eq, %i, %c0 : index
      %end = arith.cmpi eq, %i, %last : index
      %edge = arith.ori %first, %end : i1
      scf.if %edge {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %k[%i] : memref<16384xf32>
      } else {
        %two = arith.constant 2.0 : f32
        %iw = arith.subi %i, %c1 : index
        %ie = arith.addi %i, %c1 : index
        %w = memref.load %u[%iw] : memref<16384xf32>
        %h = memref.load %u[%i] : memref<16384xf32>
        %e = memref.load %u[%ie] : memref<16384xf32>
        %h2 = arith.mulf %h, %two : f32
        %we = arith.addf %w, %e : f32
        %d = arith.subf %we, %h2 : f32
        memref.store %d, %k[%i] : memref<16384xf32>
      }
      gpu.return
    }

    // out = u + dt k
    gpu.func @advance(%out: memref<16384xf32>, %u: memref<16384xf32>, %k: memref<16384xf32>, %dt: f32) kernel {
      %g = gpu.block_id x
      %l = gpu.thread_id x
      %c128 = arith.constant 128 : index
      %g128 = arith.muli %g, %c128 : index
      %i = arith.addi %g128, %l : index
      %uv = memref.load %u[%i] : memref<16384xf32>
      %kv = memref.load %k[%i] : memref<16384xf32>
      %dk = arith.mulf %dt, %kv : f32
      %v = arith.addf %uv, %dk : f32
      memref.store %v, %out[%i] : memref<16384xf32>
      gpu.return
    }
  }

  func.func private @mgpuxGraphBegin(i64) -> i32
  func.func private @mgpuxGraphEnd() -> i32
  llvm.func @mgpuxGraphLaunch(i64, !llvm.ptr)
  llvm.func @mgpuStreamCreate() -> !llvm.ptr
  llvm.func @mgpuStreamSynchronize(!llvm.ptr)
  llvm.func @mgpuStreamDestroy(!llvm.ptr)

  func.func private @heat_step_RELEASE(%u: memref<16384xf32>) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %dt = arith.constant 0.25 : f32
    %half = arith.constant 0.125 : f32
    %k1 = gpu.alloc () : memref<16384xf32>
    %t = gpu.alloc () : memref<16384xf32>
    %k2 = gpu.alloc () : memref<16384xf32>
    gpu.launch_func @heat_RELEASE_kernels::@slope blocks in (%c128, %c1, %c1) threads in (%c128, %c1, %c1)
        args(%k1 : memref<16384xf32>, %u : memref<16384xf32>)
    gpu.launch_func @heat_RELEASE_kernels::@advance blocks in (%c128, %c1, %c1) threads in (%c128, %c1, %c1)
        args(%t : memref<16384xf32>, %u : memref<16384xf32>, %k1 : memref<16384xf32>, %half : f32)
    gpu.launch_func @heat_RELEASE_kernels::@slope blocks in (%c128, %c1, %c1) threads in (%c128, %c1, %c1)
        args(%k2 : memref<16384xf32>, %t : memref<16384xf32>)
    gpu.launch_func @heat_RELEASE_kernels::@advance blocks in (%c128, %c1, %c1) threads in (%c128, %c1, %c1)
        args(%u : memref<16384xf32>, %u : memref<16384xf32>, %k2 : memref<16384xf32>, %dt : f32)
    gpu.dealloc %k1 : memref<16384xf32>
    gpu.dealloc %t : memref<16384xf32>
    gpu.dealloc %k2 : memref<16384xf32>
    return
  }

  func.func @heat_RELEASE(%u: memref<16384xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %c50 = arith.constant 50 : index
    scf.for %i = %c0 to %c20 step %c1 {
      scf.for %j = %c0 to %c50 step %c1 {
        func.call @heat_step_RELEASE(%u) : (memref<16384xf32>) -> ()
      }
    }
    return
  }

  func.func @heat_asked_RELEASE(%u: memref<16384xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c19 = arith.constant 19 : index
    %c50 = arith.constant 50 : index
    %key = arith.constant 4RELEASE : i64
    %begun = func.call @mgpuxGraphBegin(%key) : (i64) -> i32
    scf.for %j = %c0 to %c50 step %c1 {
      func.call @heat_step_RELEASE(%u) : (memref<16384xf32>) -> ()
    }
    %launched = func.call @mgpuxGraphEnd() : () -> i32
    %stream = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
    scf.for %i = %c0 to %c19 step %c1 {
      llvm.call @mgpuxGraphLaunch(%key, %stream) : (i64, !llvm.ptr) -> ()
    }
    llvm.call @mgpuStreamSynchronize(%stream) : (!llvm.ptr) -> ()
    llvm.call @mgpuStreamDestroy(%stream) : (!llvm.ptr) -> ()
    return
  }
}
