// Three mistakes in one kernel, and a program that ends as if nothing were wrong:
// the last thread reads past the end, a barrier is missing, and no work-item writes
// the first word of the tile. docs/checker.md shows how the checker finds them.
//
// REQUIRES: from-mlir-19
// RUN: env LINES=yes %lower gpu %s %t.mlir
// RUN: %link %t.mlir %t
// RUN: env MGPU_DRIVER=soft %t
// RUN: env MGPU_CHECK=memory,race,uninit %t 2>&1 | FileCheck %s
//
// CHECK-DAG: uninit: read of 4 bytes of workgroup memory that no work-item wrote, at offset 0, in kernel blur, launched by mgpu call
// CHECK-DAG: race: write of 4 bytes in workgroup memory, at offset 260, in kernel blur
// CHECK-DAG: `ds_write_b32 {{.*}}`, {{.*}}check-blur.mlir:[[# @LINE + 22 ]]
// CHECK-DAG: memory: read of 4 bytes at 0x{{.*}}, in kernel blur
// CHECK-DAG: `global_load_dword {{.*}}`, {{.*}}check-blur.mlir:[[# @LINE + 24 ]]
// CHECK-DAG: by workgroup (1,0,0), work-item (127,0,0), wave 1 lane 63
// CHECK-DAG: is 0 bytes past the end of the block of 1024 bytes at 0x{{.*}}, allocated by mgpu call {{.*}} from {{.*}}+0x{{.*}} (main)
// CHECK: mgpu check: memory,race,uninit: 1 launch: memory in 1 place, race in 1 place, uninit in 1 place (

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @blur(%in: memref<256xf32>, %out: memref<256xf32>) workgroup(%tile: memref<130xf32, 3>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c127 = arith.constant 127 : index
      %c129 = arith.constant 129 : index
      %b = gpu.block_id x
      %n = gpu.block_dim x
      %t = gpu.thread_id x
      %first = arith.muli %b, %n : index
      %i = arith.addi %first, %t : index
      %middle = arith.addi %t, %c1 : index
      %v = memref.load %in[%i] : memref<256xf32>
      memref.store %v, %tile[%middle] : memref<130xf32, 3>
      %last = arith.cmpi eq, %t, %c127 : index
      scf.if %last {
        %right = arith.addi %i, %c1 : index
        %x = memref.load %in[%right] : memref<256xf32>
        memref.store %x, %tile[%c129] : memref<130xf32, 3>
      }
      %after = arith.addi %t, %c2 : index
      %l = memref.load %tile[%t] : memref<130xf32, 3>
      %r = memref.load %tile[%after] : memref<130xf32, 3>
      %s = arith.addf %l, %v : f32
      %sum = arith.addf %s, %r : f32
      memref.store %sum, %out[%i] : memref<256xf32>
      gpu.return
    }
  }

  func.func @main() -> i32 {
    %zero = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %one = arith.constant 1.0 : f32
    %t0 = gpu.wait async
    %in, %t1 = gpu.alloc async [%t0] () : memref<256xf32>
    %out, %t2 = gpu.alloc async [%t1] () : memref<256xf32>
    %t3 = gpu.memset async [%t2] %in, %one : memref<256xf32>, f32
    %t4 = gpu.launch_func async [%t3] @kernels::@blur blocks in (%c2, %c1, %c1) threads in (%c128, %c1, %c1)
      args(%in : memref<256xf32>, %out : memref<256xf32>)
    gpu.wait [%t4]
    return %zero : i32
  }
}
