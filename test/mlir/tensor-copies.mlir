// Copies of tensors between memory and LDS on gfx1250: tiles of 8x8 of a matrix
// of 16x12 whose rows are 16 apart. What is beyond the matrix comes as zeros and
// is not written. main returns how many results are wrong.
//
// REQUIRES: from-mlir-23
// RUN: env CHIP=gfx1250 MGPU_SOFT_CHIP=gfx1250 %each_way gpu %s
// RUN: env CHIP=gfx1250 MGPU_SOFT_CHIP=gfx1250 MGPU_CHECK=all %each_way gpu %s

#lds = #gpu.address_space<workgroup>
#global = #gpu.address_space<global>

// Each tile's elements are doubled. seen counts the zeros of each tile.
func.func @run(%in: memref<16x16xi32>, %out: memref<16x16xi32>, %seen: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c2, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1)
             workgroup(%tile : memref<8x8xi32, #lds>) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k8 = arith.constant 8 : index
    %k12 = arith.constant 12 : index
    %k16 = arith.constant 16 : index
    %k32 = arith.constant 32 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %row = arith.muli %by, %k8 : index
    %column = arith.muli %bx, %k8 : index
    %rows = arith.subi %k16, %row : index
    %columns = arith.subi %k12, %column : index
    %from = memref.memory_space_cast %in : memref<16x16xi32> to memref<16x16xi32, #global>
    %to = memref.memory_space_cast %out : memref<16x16xi32> to memref<16x16xi32, #global>

    %load = amdgpu.make_dma_base %from[%row, %column], %tile[%k0, %k0]
      : memref<16x16xi32, #global>, memref<8x8xi32, #lds> -> !amdgpu.tdm_base<i32>
    %loaded = amdgpu.make_dma_descriptor %load globalSize [%rows, %columns] globalStride [16, 1] sharedSize [8, 8]
      : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
    amdgpu.tensor_load_to_lds %loaded : !amdgpu.tdm_descriptor
    rocdl.s.wait.tensorcnt 0
    gpu.barrier

    %at = arith.muli %by, %k2 : index
    %number = arith.addi %at, %bx : index
    scf.for %half = %k0 to %k2 step %k1 {
      %first = arith.muli %half, %k32 : index
      %n = arith.addi %first, %tx : index
      %y = arith.divui %n, %k8 : index
      %x = arith.remui %n, %k8 : index
      %v = memref.load %tile[%y, %x] : memref<8x8xi32, #lds>
      %none = arith.cmpi eq, %v, %zero : i32
      %add = arith.select %none, %one, %zero : i32
      %old = memref.atomic_rmw addi %add, %seen[%number] : (i32, memref<4xi32>) -> i32
      %twice = arith.addi %v, %v : i32
      memref.store %twice, %tile[%y, %x] : memref<8x8xi32, #lds>
    }
    gpu.barrier

    %store = amdgpu.make_dma_base %to[%row, %column], %tile[%k0, %k0]
      : memref<16x16xi32, #global>, memref<8x8xi32, #lds> -> !amdgpu.tdm_base<i32>
    %stored = amdgpu.make_dma_descriptor %store globalSize [%rows, %columns] globalStride [16, 1] sharedSize [8, 8]
      : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
    amdgpu.tensor_store_from_lds %stored : !amdgpu.tdm_descriptor
    rocdl.s.wait.tensorcnt 0
    gpu.terminator
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %untouched = arith.constant -7 : i32
  %beyond = arith.constant 32 : i32
  %in = memref.alloc() : memref<16x16xi32>
  %out = memref.alloc() : memref<16x16xi32>
  %seen = memref.alloc() : memref<4xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %zero, %seen[%i] : memref<4xi32>
  }
  scf.for %y = %c0 to %c16 step %c1 {
    scf.for %x = %c0 to %c16 step %c1 {
      %line = arith.muli %y, %c16 : index
      %n = arith.addi %line, %x : index
      %m = arith.addi %n, %c1 : index
      %v = arith.index_cast %m : index to i32
      memref.store %v, %in[%y, %x] : memref<16x16xi32>
      memref.store %untouched, %out[%y, %x] : memref<16x16xi32>
    }
  }
  %in_any = memref.cast %in : memref<16x16xi32> to memref<*xi32>
  %out_any = memref.cast %out : memref<16x16xi32> to memref<*xi32>
  %seen_any = memref.cast %seen : memref<4xi32> to memref<*xi32>
  gpu.host_register %in_any : memref<*xi32>
  gpu.host_register %out_any : memref<*xi32>
  gpu.host_register %seen_any : memref<*xi32>
  call @run(%in, %out, %seen) : (memref<16x16xi32>, memref<16x16xi32>, memref<4xi32>) -> ()
  %wrong = scf.for %y = %c0 to %c16 step %c1 iter_args(%sum = %zero) -> i32 {
    %inner = scf.for %x = %c0 to %c16 step %c1 iter_args(%s = %sum) -> i32 {
      %v = memref.load %in[%y, %x] : memref<16x16xi32>
      %twice = arith.addi %v, %v : i32
      %inside = arith.cmpi ult, %x, %c12 : index
      %want = arith.select %inside, %twice, %untouched : i32
      %got = memref.load %out[%y, %x] : memref<16x16xi32>
      %bad = arith.cmpi ne, %got, %want : i32
      %add = arith.select %bad, %one, %zero : i32
      %t = arith.addi %s, %add : i32
      scf.yield %t : i32
    }
    scf.yield %inner : i32
  }
  %all = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %wrong) -> i32 {
    %got = memref.load %seen[%i] : memref<4xi32>
    %odd = arith.remui %i, %c2 : index
    %right = arith.cmpi ne, %odd, %c0 : index
    %want = arith.select %right, %beyond, %zero : i32
    %bad = arith.cmpi ne, %got, %want : i32
    %add = arith.select %bad, %one, %zero : i32
    %t = arith.addi %s, %add : i32
    scf.yield %t : i32
  }
  return %all : i32
}
