// What suite.py and process.py call, lowered by MLIR 22 (scripts/lower 22 async).

// y = k x + y in the device's memory, as on any GPU.
func.func @saxpy(%k: f32, %x: memref<?xf32>, %y: memref<?xf32>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %threads = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %threads : index
  %dx = gpu.alloc (%n) : memref<?xf32>
  %dy = gpu.alloc (%n) : memref<?xf32>
  gpu.memcpy %dx, %x : memref<?xf32>, memref<?xf32>
  gpu.memcpy %dy, %y : memref<?xf32>, memref<?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    %first = arith.muli %bx, %sx : index
    %i = arith.addi %first, %tx : index
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %a = memref.load %dx[%i] : memref<?xf32>
      %b = memref.load %dy[%i] : memref<?xf32>
      %p = arith.mulf %k, %a : f32
      %s = arith.addf %p, %b : f32
      memref.store %s, %dy[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  gpu.memcpy %y, %dy : memref<?xf32>, memref<?xf32>
  gpu.dealloc %dx : memref<?xf32>
  gpu.dealloc %dy : memref<?xf32>
  return
}

// x = 2 x, where x lies: device memory, or the host's where the device reaches it. A
// workgroup for each element.
func.func @double(%x: memref<?xf32>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %a = memref.load %x[%bx] : memref<?xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %x[%bx] : memref<?xf32>
    gpu.terminator
  }
  return
}

// A kernel that sets flag[1] to 2, runs until flag[0] is not 0, and then sets flag[1] to 1.
func.func @wait_for(%flag: memref<2xi32>) attributes {llvm.emit_c_interface} {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %c0 = arith.constant 0 : index
    %was = memref.atomic_rmw assign %two, %flag[%c1] : (i32, memref<2xi32>) -> i32
    scf.while : () -> () {
      %v = memref.atomic_rmw addi %zero, %flag[%c0] : (i32, memref<2xi32>) -> i32
      %waits = arith.cmpi eq, %v, %zero : i32
      scf.condition(%waits)
    } do {
      scf.yield
    }
    memref.store %one, %flag[%c1] : memref<2xi32>
    gpu.terminator
  }
  return
}

// Waits as wait_for does, and then launches once more, on other memory.
func.func @wait_and_double(%flag: memref<2xi32>, %x: memref<?xf32>) attributes {llvm.emit_c_interface} {
  func.call @wait_for(%flag) : (memref<2xi32>) -> ()
  func.call @double(%x) : (memref<?xf32>) -> ()
  return
}

// A launch of workgroups of n work-items.
func.func @launch(%n: index) attributes {llvm.emit_c_interface} {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    gpu.terminator
  }
  return
}

// Device memory that is never freed.
func.func @forget(%n: index) attributes {llvm.emit_c_interface} {
  %m = gpu.alloc (%n) : memref<?xi8>
  return
}

// On the host, from here on.

func.func @sum(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>) -> f32 attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %rows = memref.dim %x, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %columns = memref.dim %x, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %all = scf.for %i = %c0 to %rows step %c1 iter_args(%s = %zero) -> (f32) {
    %row = scf.for %j = %c0 to %columns step %c1 iter_args(%t = %s) -> (f32) {
      %v = memref.load %x[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %u = arith.addf %t, %v : f32
      scf.yield %u : f32
    }
    scf.yield %row : f32
  }
  return %all : f32
}

func.func @third(%x: memref<4xf32, strided<[2], offset: 3>>) -> f32 attributes {llvm.emit_c_interface} {
  %c2 = arith.constant 2 : index
  %v = memref.load %x[%c2] : memref<4xf32, strided<[2], offset: 3>>
  return %v : f32
}

func.func @increment(%x: memref<f64>) attributes {llvm.emit_c_interface} {
  %one = arith.constant 1.0 : f64
  %v = memref.load %x[] : memref<f64>
  %w = arith.addf %v, %one : f64
  memref.store %w, %x[] : memref<f64>
  return
}

func.func @rank(%x: memref<*xf32>) -> index attributes {llvm.emit_c_interface} {
  %r = memref.rank %x : memref<*xf32>
  return %r : index
}

func.func @last(%x: memref<*xf32>) -> f32 attributes {llvm.emit_c_interface} {
  %c1 = arith.constant 1 : index
  %m = memref.cast %x : memref<*xf32> to memref<?x?xf32>
  %v = memref.load %m[%c1, %c1] : memref<?x?xf32>
  return %v : f32
}

func.func @add_up(%a: i1, %b: i8, %c: i16, %d: i32, %e: i64, %f: index, %g: f32, %h: f64) -> f64 attributes {llvm.emit_c_interface} {
  %a64 = arith.extui %a : i1 to i64
  %b64 = arith.extsi %b : i8 to i64
  %c64 = arith.extsi %c : i16 to i64
  %d64 = arith.extsi %d : i32 to i64
  %f64 = arith.index_cast %f : index to i64
  %s1 = arith.addi %a64, %b64 : i64
  %s2 = arith.addi %s1, %c64 : i64
  %s3 = arith.addi %s2, %d64 : i64
  %s4 = arith.addi %s3, %e : i64
  %s5 = arith.addi %s4, %f64 : i64
  %s = arith.sitofp %s5 : i64 to f64
  %g64 = arith.extf %g : f32 to f64
  %t = arith.addf %s, %g64 : f64
  %u = arith.addf %t, %h : f64
  return %u : f64
}

func.func @same_i1(%v: i1) -> i1 attributes {llvm.emit_c_interface} { return %v : i1 }
func.func @same_i8(%v: i8) -> i8 attributes {llvm.emit_c_interface} { return %v : i8 }
func.func @same_i16(%v: i16) -> i16 attributes {llvm.emit_c_interface} { return %v : i16 }
func.func @same_i32(%v: i32) -> i32 attributes {llvm.emit_c_interface} { return %v : i32 }
func.func @same_i64(%v: i64) -> i64 attributes {llvm.emit_c_interface} { return %v : i64 }
func.func @same_index(%v: index) -> index attributes {llvm.emit_c_interface} { return %v : index }
func.func @same_f32(%v: f32) -> f32 attributes {llvm.emit_c_interface} { return %v : f32 }
func.func @same_f64(%v: f64) -> f64 attributes {llvm.emit_c_interface} { return %v : f64 }

func.func @no_interface() { return }

func.func @swap_i1(%x: memref<2xi1>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<2xi1>
  %b = memref.load %x[%c1] : memref<2xi1>
  memref.store %b, %x[%c0] : memref<2xi1>
  memref.store %a, %x[%c1] : memref<2xi1>
  return
}

func.func @swap_i8(%x: memref<2xi8>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<2xi8>
  %b = memref.load %x[%c1] : memref<2xi8>
  memref.store %b, %x[%c0] : memref<2xi8>
  memref.store %a, %x[%c1] : memref<2xi8>
  return
}

func.func @swap_i16(%x: memref<2xi16>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<2xi16>
  %b = memref.load %x[%c1] : memref<2xi16>
  memref.store %b, %x[%c0] : memref<2xi16>
  memref.store %a, %x[%c1] : memref<2xi16>
  return
}

func.func @swap_i32(%x: memref<2xi32>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<2xi32>
  %b = memref.load %x[%c1] : memref<2xi32>
  memref.store %b, %x[%c0] : memref<2xi32>
  memref.store %a, %x[%c1] : memref<2xi32>
  return
}

func.func @swap_i64(%x: memref<2xi64>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<2xi64>
  %b = memref.load %x[%c1] : memref<2xi64>
  memref.store %b, %x[%c0] : memref<2xi64>
  memref.store %a, %x[%c1] : memref<2xi64>
  return
}

func.func @swap_index(%x: memref<2xindex>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<2xindex>
  %b = memref.load %x[%c1] : memref<2xindex>
  memref.store %b, %x[%c0] : memref<2xindex>
  memref.store %a, %x[%c1] : memref<2xindex>
  return
}

func.func @swap_f16(%x: memref<2xf16>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<2xf16>
  %b = memref.load %x[%c1] : memref<2xf16>
  memref.store %b, %x[%c0] : memref<2xf16>
  memref.store %a, %x[%c1] : memref<2xf16>
  return
}

func.func @swap_bf16(%x: memref<2xbf16>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<2xbf16>
  %b = memref.load %x[%c1] : memref<2xbf16>
  memref.store %b, %x[%c0] : memref<2xbf16>
  memref.store %a, %x[%c1] : memref<2xbf16>
  return
}

func.func @swap_f32(%x: memref<2xf32>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<2xf32>
  %b = memref.load %x[%c1] : memref<2xf32>
  memref.store %b, %x[%c0] : memref<2xf32>
  memref.store %a, %x[%c1] : memref<2xf32>
  return
}

func.func @swap_f64(%x: memref<2xf64>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<2xf64>
  %b = memref.load %x[%c1] : memref<2xf64>
  memref.store %b, %x[%c0] : memref<2xf64>
  memref.store %a, %x[%c1] : memref<2xf64>
  return
}

func.func @swap_c32(%x: memref<2xcomplex<f32>>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<2xcomplex<f32>>
  %b = memref.load %x[%c1] : memref<2xcomplex<f32>>
  memref.store %b, %x[%c0] : memref<2xcomplex<f32>>
  memref.store %a, %x[%c1] : memref<2xcomplex<f32>>
  return
}

func.func @swap_c64(%x: memref<2xcomplex<f64>>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<2xcomplex<f64>>
  %b = memref.load %x[%c1] : memref<2xcomplex<f64>>
  memref.store %b, %x[%c0] : memref<2xcomplex<f64>>
  memref.store %a, %x[%c1] : memref<2xcomplex<f64>>
  return
}
