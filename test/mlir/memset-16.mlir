// gpu.memset with a pattern of 16 bits: whole buffers of f16 and i16, the second
// of an odd length.
//
// REQUIRES: from-mlir-19
// RUN: %each_way gpu %s

module attributes {gpu.container_module} {
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 33 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %f = arith.constant 1.25 : f16
    %i = arith.constant 0x7abc : i16
    %hf = memref.alloc() : memref<33xf16>
    %hi = memref.alloc() : memref<33xi16>
    %t0 = gpu.wait async
    %df, %t1 = gpu.alloc async [%t0] () : memref<33xf16>
    %di, %t2 = gpu.alloc async [%t1] () : memref<33xi16>
    %t3 = gpu.memset async [%t2] %df, %f : memref<33xf16>, f16
    %t4 = gpu.memset async [%t3] %di, %i : memref<33xi16>, i16
    %t5 = gpu.memcpy async [%t4] %hf, %df : memref<33xf16>, memref<33xf16>
    %t6 = gpu.memcpy async [%t5] %hi, %di : memref<33xi16>, memref<33xi16>
    %t7 = gpu.dealloc async [%t6] %df : memref<33xf16>
    %t8 = gpu.dealloc async [%t7] %di : memref<33xi16>
    gpu.wait [%t8]
    %wrong = scf.for %k = %c0 to %n step %c1 iter_args(%w = %zero) -> (i32) {
      %x = memref.load %hf[%k] : memref<33xf16>
      %y = memref.load %hi[%k] : memref<33xi16>
      %xb = arith.cmpf une, %x, %f : f16
      %yb = arith.cmpi ne, %y, %i : i16
      %bad = arith.ori %xb, %yb : i1
      %more = arith.addi %w, %one : i32
      %next = arith.select %bad, %more, %w : i32
      scf.yield %next : i32
    }
    return %wrong : i32
  }
}
