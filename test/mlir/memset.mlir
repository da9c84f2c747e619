// gpu.memset fills device memory with a pattern of 32 bits, float and integer. The
// count is of elements, not of bytes.
//
// RUN: %each_way gpu %s | FileCheck %s
// CHECK: [-1.5,  -1.5,  -1.5,  -1.5,  -1.5,  -1.5,  -1.5]
// CHECK: [42,  42,  42,  42,  42]

module attributes {gpu.container_module} {
  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

  func.func @main() -> i32 {
    %f = arith.constant -1.5 : f32
    %i = arith.constant 42 : i32
    %hf = memref.alloc() : memref<7xf32>
    %hi = memref.alloc() : memref<5xi32>
    %t0 = gpu.wait async
    %df, %t1 = gpu.alloc async [%t0] () : memref<7xf32>
    %di, %t2 = gpu.alloc async [%t1] () : memref<5xi32>
    %t3 = gpu.memset async [%t2] %di, %i : memref<5xi32>, i32
    %t4 = gpu.memset async [%t3] %df, %f : memref<7xf32>, f32
    %t5 = gpu.memcpy async [%t4] %hf, %df : memref<7xf32>, memref<7xf32>
    %t6 = gpu.memcpy async [%t5] %hi, %di : memref<5xi32>, memref<5xi32>
    %t7 = gpu.dealloc async [%t6] %df : memref<7xf32>
    %t8 = gpu.dealloc async [%t7] %di : memref<5xi32>
    gpu.wait [%t8]
    %pf = memref.cast %hf : memref<7xf32> to memref<*xf32>
    %pi = memref.cast %hi : memref<5xi32> to memref<*xi32>
    func.call @printMemrefF32(%pf) : (memref<*xf32>) -> ()
    func.call @printMemrefI32(%pi) : (memref<*xi32>) -> ()
    %r = arith.constant 0 : i32
    return %r : i32
  }
}
