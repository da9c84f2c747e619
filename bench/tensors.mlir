// What bench/tensors.py calls with the arrays of other libraries: they lie on the device.

func.func @axpy(%k: f32, %x: memref<?xf32>, %y: memref<?xf32>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %threads = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %last = arith.constant 255 : index
  %rounded = arith.addi %n, %last : index
  %blocks = arith.divui %rounded, %threads : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %first = arith.muli %bx, %sx : index
    %i = arith.addi %first, %tx : index
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %a = memref.load %x[%i] : memref<?xf32>
      %b = memref.load %y[%i] : memref<?xf32>
      %p = arith.mulf %k, %a : f32
      %s = arith.addf %p, %b : f32
      memref.store %s, %y[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}

// The same with a temporary array: a program whose buffers MLIR has placed.
func.func @axpy_temporary(%k: f32, %x: memref<?xf32>, %y: memref<?xf32>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %threads = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %last = arith.constant 255 : index
  %rounded = arith.addi %n, %last : index
  %blocks = arith.divui %rounded, %threads : index
  %t = gpu.alloc (%n) : memref<?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %first = arith.muli %bx, %sx : index
    %i = arith.addi %first, %tx : index
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %a = memref.load %x[%i] : memref<?xf32>
      %p = arith.mulf %k, %a : f32
      memref.store %p, %t[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %first = arith.muli %bx, %sx : index
    %i = arith.addi %first, %tx : index
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %p = memref.load %t[%i] : memref<?xf32>
      %b = memref.load %y[%i] : memref<?xf32>
      %s = arith.addf %p, %b : f32
      memref.store %s, %y[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  gpu.dealloc %t : memref<?xf32>
  return
}
