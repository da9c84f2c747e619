// Each block turns its part of the input round through workgroup memory whose size
// the launch gives (gpu.dynamic_shared_memory): nothing in the code object says it.
//
// REQUIRES: from-mlir-19
// RUN: %each_way gpu %s

func.func @turn(%in: memref<1024xi32>, %out: memref<1024xi32>, %threads: index) {
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %c4 = arith.constant 4 : index
  %blocks = arith.divui %c1024, %threads : index
  %bytes = arith.muli %threads, %c4 : index
  %size = arith.index_cast %bytes : index to i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1)
             dynamic_shared_memory_size %size {
    %one = arith.constant 1 : index
    %zero = arith.constant 0 : index
    %bytes_here = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %turned = memref.view %bytes_here[%zero][%sx]
        : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xi32, #gpu.address_space<workgroup>>
    %first = arith.muli %bx, %sx : index
    %i = arith.addi %first, %tx : index
    %v = memref.load %in[%i] : memref<1024xi32>
    %last = arith.subi %sx, %one : index
    %to = arith.subi %last, %tx : index
    memref.store %v, %turned[%to] : memref<?xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %turned[%tx] : memref<?xi32, #gpu.address_space<workgroup>>
    memref.store %w, %out[%i] : memref<1024xi32>
    gpu.terminator
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %in = memref.alloc() : memref<1024xi32>
  %out = memref.alloc() : memref<1024xi32>
  scf.for %i = %c0 to %c1024 step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %in[%i] : memref<1024xi32>
  }
  // 32 is half a wave; a kernel whose launch does not know its block has 256 at most.
  %sizes = memref.alloc() : memref<3xindex>
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  memref.store %c32, %sizes[%c0] : memref<3xindex>
  memref.store %c256, %sizes[%c1] : memref<3xindex>
  memref.store %c128, %sizes[%c2] : memref<3xindex>
  %wrong = scf.for %s = %c0 to %c3 step %c1 iter_args(%sum = %zero) -> i32 {
    %threads = memref.load %sizes[%s] : memref<3xindex>
    func.call @turn(%in, %out, %threads) : (memref<1024xi32>, memref<1024xi32>, index) -> ()
    %all = scf.for %i = %c0 to %c1024 step %c1 iter_args(%n = %sum) -> i32 {
      // i with its place in the block counted from the block's end.
      %place = arith.remui %i, %threads : index
      %first = arith.subi %i, %place : index
      %last = arith.addi %first, %threads : index
      %beyond = arith.subi %last, %place : index
      %from = arith.subi %beyond, %c1 : index
      %want = arith.index_cast %from : index to i32
      %got = memref.load %out[%i] : memref<1024xi32>
      %differs = arith.cmpi ne, %got, %want : i32
      %more = arith.addi %n, %one : i32
      %next = arith.select %differs, %more, %n : i32
      scf.yield %next : i32
    }
    scf.yield %all : i32
  }
  // An exit status has 8 bits.
  %most = arith.constant 255 : i32
  %told = arith.minui %wrong, %most : i32
  return %told : i32
}
