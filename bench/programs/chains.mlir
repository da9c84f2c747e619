// Eight independent chains of four small kernels each, on streams of their own: 100 rounds.
// chains_asked records a round as a region and launches it again.

module attributes {gpu.container_module} {
  gpu.module @chains_RELEASE_kernels {
    // 64 elements of one of eight parts, 64 times scaled and shifted.
    gpu.func @link(%m: memref<8192xf32>, %chain: index) kernel {
      %l = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c1024 = arith.constant 1024 : index
      %scale = arith.constant 0.5 : f32
      %shift = arith.constant 1.0 : f32
      %base = arith.muli %chain, %c1024 : index
      %i = arith.addi %base, %l : index
      %old = memref.load %m[%i] : memref<8192xf32>
      %new = scf.for %k = %c0 to %c64 step %c1 iter_args(%v = %old) -> f32 {
        %s = arith.mulf %v, %scale : f32
        %t = arith.addf %s, %shift : f32
        scf.yield %t : f32
      }
      %more = arith.addf %new, %old : f32
      memref.store %more, %m[%i] : memref<8192xf32>
      gpu.return
    }
  }

  func.func private @mgpuxGraphBegin(i64) -> i32
  func.func private @mgpuxGraphEnd() -> i32
  llvm.func @mgpuxGraphLaunch(i64, !llvm.ptr)
  llvm.func @mgpuStreamCreate() -> !llvm.ptr
  llvm.func @mgpuStreamSynchronize(!llvm.ptr)
  llvm.func @mgpuStreamDestroy(!llvm.ptr)

  func.func private @chains_round_RELEASE(%m: memref<8192xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %chain0 = arith.constant 0 : index
    %t0_0 = gpu.wait async
    %chain1 = arith.constant 1 : index
    %t1_0 = gpu.wait async
    %chain2 = arith.constant 2 : index
    %t2_0 = gpu.wait async
    %chain3 = arith.constant 3 : index
    %t3_0 = gpu.wait async
    %chain4 = arith.constant 4 : index
    %t4_0 = gpu.wait async
    %chain5 = arith.constant 5 : index
    %t5_0 = gpu.wait async
    %chain6 = arith.constant 6 : index
    %t6_0 = gpu.wait async
    %chain7 = arith.constant 7 : index
    %t7_0 = gpu.wait async
    %t0_1 = gpu.launch_func async [%t0_0] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain0 : index)
    %t1_1 = gpu.launch_func async [%t1_0] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain1 : index)
    %t2_1 = gpu.launch_func async [%t2_0] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain2 : index)
    %t3_1 = gpu.launch_func async [%t3_0] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain3 : index)
    %t4_1 = gpu.launch_func async [%t4_0] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain4 : index)
    %t5_1 = gpu.launch_func async [%t5_0] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain5 : index)
    %t6_1 = gpu.launch_func async [%t6_0] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain6 : index)
    %t7_1 = gpu.launch_func async [%t7_0] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain7 : index)
    %t0_2 = gpu.launch_func async [%t0_1] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain0 : index)
    %t1_2 = gpu.launch_func async [%t1_1] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain1 : index)
    %t2_2 = gpu.launch_func async [%t2_1] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain2 : index)
    %t3_2 = gpu.launch_func async [%t3_1] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain3 : index)
    %t4_2 = gpu.launch_func async [%t4_1] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain4 : index)
    %t5_2 = gpu.launch_func async [%t5_1] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain5 : index)
    %t6_2 = gpu.launch_func async [%t6_1] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain6 : index)
    %t7_2 = gpu.launch_func async [%t7_1] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain7 : index)
    %t0_3 = gpu.launch_func async [%t0_2] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain0 : index)
    %t1_3 = gpu.launch_func async [%t1_2] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain1 : index)
    %t2_3 = gpu.launch_func async [%t2_2] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain2 : index)
    %t3_3 = gpu.launch_func async [%t3_2] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain3 : index)
    %t4_3 = gpu.launch_func async [%t4_2] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain4 : index)
    %t5_3 = gpu.launch_func async [%t5_2] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain5 : index)
    %t6_3 = gpu.launch_func async [%t6_2] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain6 : index)
    %t7_3 = gpu.launch_func async [%t7_2] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain7 : index)
    %t0_4 = gpu.launch_func async [%t0_3] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain0 : index)
    %t1_4 = gpu.launch_func async [%t1_3] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain1 : index)
    %t2_4 = gpu.launch_func async [%t2_3] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain2 : index)
    %t3_4 = gpu.launch_func async [%t3_3] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain3 : index)
    %t4_4 = gpu.launch_func async [%t4_3] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain4 : index)
    %t5_4 = gpu.launch_func async [%t5_3] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain5 : index)
    %t6_4 = gpu.launch_func async [%t6_3] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain6 : index)
    %t7_4 = gpu.launch_func async [%t7_3] @chains_RELEASE_kernels::@link blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%m : memref<8192xf32>, %chain7 : index)
    gpu.wait [%t0_4, %t1_4, %t2_4, %t3_4, %t4_4, %t5_4, %t6_4, %t7_4]
    return
  }

  func.func @chains_RELEASE(%m: memref<8192xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    scf.for %i = %c0 to %c100 step %c1 {
      func.call @chains_round_RELEASE(%m) : (memref<8192xf32>) -> ()
    }
    return
  }

  func.func @chains_asked_RELEASE(%m: memref<8192xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c99 = arith.constant 99 : index
    %key = arith.constant 5RELEASE : i64
    %begun = func.call @mgpuxGraphBegin(%key) : (i64) -> i32
    func.call @chains_round_RELEASE(%m) : (memref<8192xf32>) -> ()
    %launched = func.call @mgpuxGraphEnd() : () -> i32
    %stream = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
    scf.for %i = %c0 to %c99 step %c1 {
      llvm.call @mgpuxGraphLaunch(%key, %stream) : (i64, !llvm.ptr) -> ()
      llvm.call @mgpuStreamSynchronize(%stream) : (!llvm.ptr) -> ()
    }
    llvm.call @mgpuStreamDestroy(%stream) : (!llvm.ptr) -> ()
    return
  }
}
