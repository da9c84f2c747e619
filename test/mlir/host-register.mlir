// Host memory registered with the device, the device's address of it asked for,
// as upstream's ROCm tests do: the kernel writes what the host then reads.
//
// RUN: %each_way gpu %s | FileCheck %s
// CHECK: sizes = [5] strides = [1]
// CHECK-NEXT: [2.46,  2.46,  2.46,  2.46,  2.46]
// CHECK: sizes = [3] strides = [1]
// CHECK-NEXT: [7,  7,  7]

func.func @double(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %v = memref.load %m[%tx] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %m[%tx] : memref<?xf32>
    gpu.terminator
  }
  return
}

func.func @seven(%m: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  %n = memref.dim %m, %c0 : memref<?xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %seven, %m[%bx] : memref<?xi32>
    gpu.terminator
  }
  return
}

func.func private @mgpuMemGetDeviceMemRef1dFloat(memref<?xf32>) -> memref<?xf32>
func.func private @mgpuMemGetDeviceMemRef1dInt32(memref<?xi32>) -> memref<?xi32>
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %f = arith.constant 1.23 : f32
  %zero = arith.constant 0 : i32
  %hf = memref.alloc(%c5) : memref<?xf32>
  %hi = memref.alloc(%c3) : memref<?xi32>
  scf.for %i = %c0 to %c5 step %c1 {
    memref.store %f, %hf[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %c3 step %c1 {
    memref.store %zero, %hi[%i] : memref<?xi32>
  }
  %uf = memref.cast %hf : memref<?xf32> to memref<*xf32>
  %ui = memref.cast %hi : memref<?xi32> to memref<*xi32>
  gpu.host_register %uf : memref<*xf32>
  gpu.host_register %ui : memref<*xi32>
  %df = func.call @mgpuMemGetDeviceMemRef1dFloat(%hf) : (memref<?xf32>) -> memref<?xf32>
  %di = func.call @mgpuMemGetDeviceMemRef1dInt32(%hi) : (memref<?xi32>) -> memref<?xi32>
  func.call @double(%df) : (memref<?xf32>) -> ()
  func.call @seven(%di) : (memref<?xi32>) -> ()
  func.call @printMemrefF32(%uf) : (memref<*xf32>) -> ()
  func.call @printMemrefI32(%ui) : (memref<*xi32>) -> ()
  %r = arith.constant 0 : i32
  return %r : i32
}
