// What MGPU_CHECK is for: each thread reads what its neighbour wrote, and the
// barrier between the two is missing. The result is right on most machines, on
// most days. The checker names both instructions, with their lines here.
//
// REQUIRES: from-mlir-19
// RUN: env LINES=yes %lower gpu %s %t.mlir
// RUN: %link %t.mlir %t
// RUN: env MGPU_CHECK=memory,race,uninit %t 2>&1 | FileCheck %s
// RUN: not-22 --crash env MGPU_CHECK=race MGPU_ON_ERROR=abort %t 2>&1 | FileCheck --check-prefix=ABORT %s
//
// CHECK: mgpu check: race: write of 4 bytes in workgroup memory, at offset 256, in kernel turn, launched by mgpu call
// CHECK-NEXT: at turn+0x{{.*}}: `ds_write_b32 {{.*}}`, {{.*}}check-race.mlir:[[# STORE:]]
// CHECK-NEXT: by workgroup (0,0,0), work-item (64,0,0), wave 1 lane 0
// CHECK-NEXT: no barrier or atomic orders it after the read at turn+0x{{.*}}: `ds_read_b32 {{.*}}`, {{.*}}check-race.mlir:[[# STORE + 4]]
// CHECK-NEXT: by workgroup (0,0,0), work-item (63,0,0), wave 0 lane 63
// CHECK: mgpu check: memory,race,uninit: 1 launch: race in 1 place, uninit in 1 place (
// CHECK-NEXT: race: {{.*}}check-race.mlir:[[# STORE]] and {{.*}}check-race.mlir:[[# STORE + 4]]: {{.*}} accesses of 2 instructions
// ABORT: mgpu check: race
// ABORT-NOT: mgpu check:

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @turn(%out: memref<256xi32>) workgroup(%tile: memref<256xi32, 3>) kernel {
      %c1 = arith.constant 1 : index
      %c255 = arith.constant 255 : index
      %t = gpu.thread_id x
      %v = arith.index_cast %t : index to i32
      memref.store %v, %tile[%t] : memref<256xi32, 3>
      // gpu.barrier
      %next = arith.addi %t, %c1 : index
      %other = arith.andi %next, %c255 : index
      %w = memref.load %tile[%other] : memref<256xi32, 3>
      memref.store %w, %out[%t] : memref<256xi32>
      gpu.return
    }
  }

  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %zero = arith.constant 0 : i32
    %out = memref.alloc() : memref<256xi32>
    %any = memref.cast %out : memref<256xi32> to memref<*xi32>
    gpu.host_register %any : memref<*xi32>
    gpu.launch_func @kernels::@turn blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1) args(%out : memref<256xi32>)
    memref.dealloc %out : memref<256xi32>
    return %zero : i32
  }
}
