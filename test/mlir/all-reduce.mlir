// gpu.all_reduce of every kind, several in one kernel, and one with a body of its own:
// each work-item of blocks of 16, 64 and 4x4x8 gets what a loop on the host computes.
// Sums of f32 are exact. The lowering reduces 32 lanes by gpu.shuffle, which AMD GPUs
// need a power of two for, and the rest through workgroup memory.
//
// RUN: %each_way gpu %s
// RUN: %if from-mlir-22 %{ env CHIP=gfx1100 WAVE=64 MGPU_SOFT_CHIP=gfx1100 %each_way gpu %s %}
// RUN: %if from-mlir-22 %{ env CHIP=gfx1201 MGPU_SOFT_CHIP=gfx1201 %each_way gpu %s %}
// REQUIRES: from-mlir-19

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @reduce(%in: memref<256xi32>, %out: memref<15x256xi32>) kernel {
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %tz = gpu.thread_id z
      %nx = gpu.block_dim x
      %ny = gpu.block_dim y
      %plane = arith.muli %tz, %ny : index
      %row = arith.addi %plane, %ty : index
      %line = arith.muli %row, %nx : index
      %i = arith.addi %line, %tx : index
      %v = memref.load %in[%i] : memref<256xi32>
      %x = arith.sitofp %v : i32 to f32
      %r0 = gpu.all_reduce add %v uniform {} : (i32) -> i32
      %r1 = gpu.all_reduce mul %v uniform {} : (i32) -> i32
      %r2 = gpu.all_reduce minui %v uniform {} : (i32) -> i32
      %r3 = gpu.all_reduce minsi %v uniform {} : (i32) -> i32
      %r4 = gpu.all_reduce maxui %v uniform {} : (i32) -> i32
      %r5 = gpu.all_reduce maxsi %v uniform {} : (i32) -> i32
      %r6 = gpu.all_reduce and %v uniform {} : (i32) -> i32
      %r7 = gpu.all_reduce or %v uniform {} : (i32) -> i32
      %r8 = gpu.all_reduce xor %v uniform {} : (i32) -> i32
      %f9 = gpu.all_reduce add %x uniform {} : (f32) -> f32
      %r9 = arith.fptosi %f9 : f32 to i32
      %f10 = gpu.all_reduce minnumf %x uniform {} : (f32) -> f32
      %r10 = arith.fptosi %f10 : f32 to i32
      %f11 = gpu.all_reduce maxnumf %x uniform {} : (f32) -> f32
      %r11 = arith.fptosi %f11 : f32 to i32
      %f12 = gpu.all_reduce minimumf %x uniform {} : (f32) -> f32
      %r12 = arith.fptosi %f12 : f32 to i32
      %f13 = gpu.all_reduce maximumf %x uniform {} : (f32) -> f32
      %r13 = arith.fptosi %f13 : f32 to i32
      %r14 = gpu.all_reduce %v uniform {
      ^bb(%a: i32, %b: i32):
        %both = arith.addi %a, %b : i32
        %product = arith.muli %a, %b : i32
        %sum = arith.addi %both, %product : i32
        gpu.yield %sum : i32
      } : (i32) -> i32
      %k0 = arith.constant 0 : index
      memref.store %r0, %out[%k0, %i] : memref<15x256xi32>
      %k1 = arith.constant 1 : index
      memref.store %r1, %out[%k1, %i] : memref<15x256xi32>
      %k2 = arith.constant 2 : index
      memref.store %r2, %out[%k2, %i] : memref<15x256xi32>
      %k3 = arith.constant 3 : index
      memref.store %r3, %out[%k3, %i] : memref<15x256xi32>
      %k4 = arith.constant 4 : index
      memref.store %r4, %out[%k4, %i] : memref<15x256xi32>
      %k5 = arith.constant 5 : index
      memref.store %r5, %out[%k5, %i] : memref<15x256xi32>
      %k6 = arith.constant 6 : index
      memref.store %r6, %out[%k6, %i] : memref<15x256xi32>
      %k7 = arith.constant 7 : index
      memref.store %r7, %out[%k7, %i] : memref<15x256xi32>
      %k8 = arith.constant 8 : index
      memref.store %r8, %out[%k8, %i] : memref<15x256xi32>
      %k9 = arith.constant 9 : index
      memref.store %r9, %out[%k9, %i] : memref<15x256xi32>
      %k10 = arith.constant 10 : index
      memref.store %r10, %out[%k10, %i] : memref<15x256xi32>
      %k11 = arith.constant 11 : index
      memref.store %r11, %out[%k11, %i] : memref<15x256xi32>
      %k12 = arith.constant 12 : index
      memref.store %r12, %out[%k12, %i] : memref<15x256xi32>
      %k13 = arith.constant 13 : index
      memref.store %r13, %out[%k13, %i] : memref<15x256xi32>
      %k14 = arith.constant 14 : index
      memref.store %r14, %out[%k14, %i] : memref<15x256xi32>
      gpu.return
    }
  }

  // How many of a block's results are wrong.
  func.func @wrong(%x: index, %y: index, %z: index, %in: memref<256xi32>, %out: memref<15x256xi32>) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = arith.constant 15 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    gpu.launch_func @kernels::@reduce blocks in (%c1, %c1, %c1) threads in (%x, %y, %z)
        args(%in : memref<256xi32>, %out : memref<15x256xi32>)
    %xy = arith.muli %x, %y : index
    %n = arith.muli %xy, %z : index
    %first = memref.load %in[%c0] : memref<256xi32>
    %firstf = arith.sitofp %first : i32 to f32
    %want = memref.alloc() : memref<15xi32>
    %e:15 = scf.for %i = %c1 to %n step %c1
        iter_args(%w0 = %first, %w1 = %first, %w2 = %first, %w3 = %first, %w4 = %first, %w5 = %first, %w6 = %first, %w7 = %first, %w8 = %first, %w9 = %firstf, %w10 = %firstf, %w11 = %firstf, %w12 = %firstf, %w13 = %firstf, %w14 = %first)
        -> (i32, i32, i32, i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, f32, i32) {
      %v = memref.load %in[%i] : memref<256xi32>
      %x1 = arith.sitofp %v : i32 to f32
      %n0 = arith.addi %w0, %v : i32
      %n1 = arith.muli %w1, %v : i32
      %n2 = arith.minui %w2, %v : i32
      %n3 = arith.minsi %w3, %v : i32
      %n4 = arith.maxui %w4, %v : i32
      %n5 = arith.maxsi %w5, %v : i32
      %n6 = arith.andi %w6, %v : i32
      %n7 = arith.ori %w7, %v : i32
      %n8 = arith.xori %w8, %v : i32
      %n9 = arith.addf %w9, %x1 : f32
      %n10 = arith.minnumf %w10, %x1 : f32
      %n11 = arith.maxnumf %w11, %x1 : f32
      %n12 = arith.minimumf %w12, %x1 : f32
      %n13 = arith.maximumf %w13, %x1 : f32
      %both = arith.addi %w14, %v : i32
      %product = arith.muli %w14, %v : i32
      %n14 = arith.addi %both, %product : i32
      scf.yield %n0, %n1, %n2, %n3, %n4, %n5, %n6, %n7, %n8, %n9, %n10, %n11, %n12, %n13, %n14
          : i32, i32, i32, i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, f32, i32
    }
    %k0 = arith.constant 0 : index
    memref.store %e#0, %want[%k0] : memref<15xi32>
    %k1 = arith.constant 1 : index
    memref.store %e#1, %want[%k1] : memref<15xi32>
    %k2 = arith.constant 2 : index
    memref.store %e#2, %want[%k2] : memref<15xi32>
    %k3 = arith.constant 3 : index
    memref.store %e#3, %want[%k3] : memref<15xi32>
    %k4 = arith.constant 4 : index
    memref.store %e#4, %want[%k4] : memref<15xi32>
    %k5 = arith.constant 5 : index
    memref.store %e#5, %want[%k5] : memref<15xi32>
    %k6 = arith.constant 6 : index
    memref.store %e#6, %want[%k6] : memref<15xi32>
    %k7 = arith.constant 7 : index
    memref.store %e#7, %want[%k7] : memref<15xi32>
    %k8 = arith.constant 8 : index
    memref.store %e#8, %want[%k8] : memref<15xi32>
    %t9 = arith.fptosi %e#9 : f32 to i32
    %k9 = arith.constant 9 : index
    memref.store %t9, %want[%k9] : memref<15xi32>
    %t10 = arith.fptosi %e#10 : f32 to i32
    %k10 = arith.constant 10 : index
    memref.store %t10, %want[%k10] : memref<15xi32>
    %t11 = arith.fptosi %e#11 : f32 to i32
    %k11 = arith.constant 11 : index
    memref.store %t11, %want[%k11] : memref<15xi32>
    %t12 = arith.fptosi %e#12 : f32 to i32
    %k12 = arith.constant 12 : index
    memref.store %t12, %want[%k12] : memref<15xi32>
    %t13 = arith.fptosi %e#13 : f32 to i32
    %k13 = arith.constant 13 : index
    memref.store %t13, %want[%k13] : memref<15xi32>
    %k14 = arith.constant 14 : index
    memref.store %e#14, %want[%k14] : memref<15xi32>
    %wrong = scf.for %k = %c0 to %rows step %c1 iter_args(%wk = %zero) -> (i32) {
      %right = memref.load %want[%k] : memref<15xi32>
      %wi = scf.for %i = %c0 to %n step %c1 iter_args(%w = %wk) -> (i32) {
        %got = memref.load %out[%k, %i] : memref<15x256xi32>
        %bad = arith.cmpi ne, %got, %right : i32
        %more = arith.addi %w, %one : i32
        %next = arith.select %bad, %more, %w : i32
        scf.yield %next : i32
      }
      scf.yield %wi : i32
    }
    return %wrong : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %in = memref.alloc() : memref<256xi32>
    %out = memref.alloc() : memref<15x256xi32>
    %c37 = arith.constant 37 : index
    %c101 = arith.constant 101 : index
    %c50 = arith.constant 50 : index
    scf.for %i = %c0 to %c256 step %c1 {
      %far = arith.muli %i, %c37 : index
      %m = arith.remui %far, %c101 : index
      %s = arith.subi %m, %c50 : index
      %v = arith.index_cast %s : index to i32
      memref.store %v, %in[%i] : memref<256xi32>
    }
    %a = func.call @wrong(%c16, %c1, %c1, %in, %out) : (index, index, index, memref<256xi32>, memref<15x256xi32>) -> i32
    %b = func.call @wrong(%c64, %c1, %c1, %in, %out) : (index, index, index, memref<256xi32>, memref<15x256xi32>) -> i32
    %c = func.call @wrong(%c4, %c4, %c8, %in, %out) : (index, index, index, memref<256xi32>, memref<15x256xi32>) -> i32
    %ab = arith.addi %a, %b : i32
    %all = arith.addi %ab, %c : i32
    %most = arith.constant 255 : i32
    %status = arith.minui %all, %most : i32
    return %status : i32
  }
}
