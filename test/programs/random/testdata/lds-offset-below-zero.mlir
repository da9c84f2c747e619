// k111, chip gfx906, -O0, waves of 64, inputs 101, groups 1 2 2, work-items 50 1 1
// On the device:
func.func private @k111_h0(%v1: vector<2xi8>, %v2: i64, %v3: i64) -> i64 attributes {passthrough = ["noinline"]} {
return %v3 : i64
}
func.func private @k111_h1(%v20: i64, %v21: vector<4xi16>, %v22: i32) -> vector<3xi16> attributes {passthrough = ["noinline"]} {
%v39 = arith.constant dense<0> : vector<3xi16>
return %v39 : vector<3xi16>
}
gpu.func @k111({arguments})
workgroup(%s64_cells : memref<50xf32, #gpu.address_space<workgroup>>, %s73_cells : memref<50xbf16, #gpu.address_space<workgroup>>)
kernel attributes {gpu.known_block_size = array<i32: 50, 1, 1>} {
%zero = arith.constant 0 : index
%one = arith.constant 1 : index
%zero64 = arith.constant 0 : i64
%nx = arith.constant 50 : index
%ny = arith.constant 1 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 50 : index
%tx = gpu.thread_id x
%bx = gpu.block_id x
%ty = gpu.thread_id y
%by = gpu.block_id y
%tz = gpu.thread_id z
%bz = gpu.block_id z
%l0 = arith.muli %tz, %ny : index
%l1 = arith.addi %l0, %ty : index
%l2 = arith.muli %l1, %nx : index
%lin = arith.addi %l2, %tx : index
%g0 = arith.muli %bz, %gy : index
%g1 = arith.addi %g0, %by : index
%g2 = arith.muli %g1, %gx : index
%group = arith.addi %g2, %bx : index
%gbase = arith.muli %group, %items : index
%gid = arith.addi %gbase, %lin : index
%s54_top = arith.constant 1020 : index
%s54_at = arith.minui %bx, %s54_top : index
%s54_x = memref.load %in_f32[%s54_at] : memref<1024xf32>
%s54_bits = arith.bitcast %s54_x : f32 to i32
%s54_most = arith.constant 0x7FFFFFFF : i32
%s54_infinity = arith.constant 0x7F800000 : i32
%s54_nan = arith.constant 0x7FC00000 : i32
%s54_size = arith.andi %s54_bits, %s54_most : i32
%s54_odd = arith.cmpi ugt, %s54_size, %s54_infinity : i32
%s54_same = arith.select %s54_odd, %s54_nan, %s54_bits : i1, i32
%v53 = arith.bitcast %s54_same : i32 to f32
%v60 = arith.constant false
%v62 = arith.select %v60, %v53, %v53 : f32
%s64_shift = arith.constant 39 : index
%s64_n = arith.constant 50 : index
%s64_moved = arith.addi %lin, %s64_shift : index
%s64_to = arith.remui %s64_moved, %s64_n : index
%s64_cell = arith.addi %s64_to, %zero : index
memref.store %v62, %s64_cells[%s64_cell] : memref<50xf32, #gpu.address_space<workgroup>>
gpu.barrier
%s64_all0 = arith.constant 50 : index
%s64_at0 = arith.remui %tz, %s64_all0 : index
%s64_from0 = arith.addi %s64_at0, %zero : index
%v65 = memref.load %s64_cells[%s64_from0] : memref<50xf32, #gpu.address_space<workgroup>>
gpu.barrier
%v72 = arith.constant 0.0 : bf16
%s73_shift = arith.constant 10 : index
%s73_n = arith.constant 50 : index
%s73_moved = arith.addi %lin, %s73_shift : index
%s73_to = arith.remui %s73_moved, %s73_n : index
%s73_cell = arith.addi %s73_to, %zero : index
memref.store %v72, %s73_cells[%s73_cell] : memref<50xbf16, #gpu.address_space<workgroup>>
gpu.barrier
%s73_all0 = arith.constant 50 : index
%s73_at0 = arith.remui %by, %s73_all0 : index
%s73_from0 = arith.addi %s73_at0, %zero : index
%v74 = memref.load %s73_cells[%s73_from0] : memref<50xbf16, #gpu.address_space<workgroup>>
%s73_all1 = arith.constant 50 : index
%s73_at1 = arith.remui %bx, %s73_all1 : index
%s73_from1 = arith.addi %s73_at1, %zero : index
%v75 = memref.load %s73_cells[%s73_from1] : memref<50xbf16, #gpu.address_space<workgroup>>
gpu.barrier
%v80 = arith.minimumf %v65, %v65 : f32
%v91 = arith.constant 0 : i64
%v148 = arith.constant 0 : i64
%v164 = arith.constant 0.0 : f32
%v177 = arith.constant false
%v210, %v211 = scf.if %v177 -> (f32, i64) {
scf.yield %v164, %v148 : f32, i64
} else {
%s209_x = math.absf %v65 : f32
%s209_y = arith.negf %v80 : f32
%v208 = arith.mulf %s209_x, %s209_y : f32
scf.yield %v208, %v91 : f32, i64
}
%s213_bits = arith.bitcast %v210 : f32 to i32
%s213_most = arith.constant 0x7FFFFFFF : i32
%s213_infinity = arith.constant 0x7F800000 : i32
%s213_nan = arith.constant 0x7FC00000 : i32
%s213_size = arith.andi %s213_bits, %s213_most : i32
%s213_odd = arith.cmpi ugt, %s213_size, %s213_infinity : i32
%s213_b = arith.select %s213_odd, %s213_nan, %s213_bits : i1, i32
%s213_w = arith.extui %s213_b : i32 to i64
%s213_k = arith.constant 768 : index
%s213_at = arith.addi %gid, %s213_k : index
memref.store %s213_w, %out[%s213_at] : memref<16384xi64>
gpu.return
}
// On the host:
func.func private @k111_h0(%v1: vector<2xi8>, %v2: i64, %v3: i64) -> i64 {
return %v3 : i64
}
func.func private @k111_h1(%v20: i64, %v21: vector<4xi16>, %v22: i32) -> vector<3xi16> {
%v39 = arith.constant dense<0> : vector<3xi16>
return %v39 : vector<3xi16>
}
func.func @k111({arguments}) {
%zero = arith.constant 0 : index
%one = arith.constant 1 : index
%zero64 = arith.constant 0 : i64
%all = arith.constant 50 : index
%groups = arith.constant 4 : index
%kept62 = memref.alloca() : memref<50xf32>
%kept65 = memref.alloca() : memref<50xf32>
%s64_cells = memref.alloca() : memref<50xf32>
%kept68 = memref.alloca() : memref<50xf64>
%kept72 = memref.alloca() : memref<50xbf16>
%kept74 = memref.alloca() : memref<50xbf16>
%kept75 = memref.alloca() : memref<50xbf16>
%s73_cells = memref.alloca() : memref<50xbf16>
%kept79 = memref.alloca() : memref<50xi32>
%kept80 = memref.alloca() : memref<50xf32>
%kept89 = memref.alloca() : memref<50xi64>
%kept91 = memref.alloca() : memref<50xi64>
%kept144 = memref.alloca() : memref<50xi8>
%kept148 = memref.alloca() : memref<50xi64>
%kept155 = memref.alloca() : memref<50xf32>
%kept164 = memref.alloca() : memref<50xf32>
%kept172 = memref.alloca() : memref<50xi32>
scf.for %group = %zero to %groups step %one {
scf.for %lin = %zero to %all step %one {
%nx = arith.constant 50 : index
%ny = arith.constant 1 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 50 : index
%tx = arith.remui %lin, %nx : index
%tq = arith.divui %lin, %nx : index
%ty = arith.remui %tq, %ny : index
%tz = arith.divui %tq, %ny : index
%bx = arith.remui %group, %gx : index
%bq = arith.divui %group, %gx : index
%by = arith.remui %bq, %gy : index
%bz = arith.divui %bq, %gy : index
%gbase = arith.muli %group, %items : index
%gid = arith.addi %gbase, %lin : index
%s54_top = arith.constant 1020 : index
%s54_at = arith.minui %bx, %s54_top : index
%s54_x = memref.load %in_f32[%s54_at] : memref<1024xf32>
%s54_bits = arith.bitcast %s54_x : f32 to i32
%s54_most = arith.constant 0x7FFFFFFF : i32
%s54_infinity = arith.constant 0x7F800000 : i32
%s54_nan = arith.constant 0x7FC00000 : i32
%s54_size = arith.andi %s54_bits, %s54_most : i32
%s54_odd = arith.cmpi ugt, %s54_size, %s54_infinity : i32
%s54_same = arith.select %s54_odd, %s54_nan, %s54_bits : i1, i32
%v53 = arith.bitcast %s54_same : i32 to f32
%v60 = arith.constant false
%v62 = arith.select %v60, %v53, %v53 : f32
memref.store %v62, %kept62[%lin] : memref<50xf32>
}
scf.for %lin = %zero to %all step %one {
%nx = arith.constant 50 : index
%ny = arith.constant 1 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 50 : index
%tx = arith.remui %lin, %nx : index
%tq = arith.divui %lin, %nx : index
%ty = arith.remui %tq, %ny : index
%tz = arith.divui %tq, %ny : index
%bx = arith.remui %group, %gx : index
%bq = arith.divui %group, %gx : index
%by = arith.remui %bq, %gy : index
%bz = arith.divui %bq, %gy : index
%gbase = arith.muli %group, %items : index
%gid = arith.addi %gbase, %lin : index
%v62 = memref.load %kept62[%lin] : memref<50xf32>
%s64_shift = arith.constant 39 : index
%s64_n = arith.constant 50 : index
%s64_moved = arith.addi %lin, %s64_shift : index
%s64_to = arith.remui %s64_moved, %s64_n : index
%s64_cell = arith.addi %s64_to, %zero : index
memref.store %v62, %s64_cells[%s64_cell] : memref<50xf32>
}
scf.for %lin = %zero to %all step %one {
%nx = arith.constant 50 : index
%ny = arith.constant 1 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 50 : index
%tx = arith.remui %lin, %nx : index
%tq = arith.divui %lin, %nx : index
%ty = arith.remui %tq, %ny : index
%tz = arith.divui %tq, %ny : index
%bx = arith.remui %group, %gx : index
%bq = arith.divui %group, %gx : index
%by = arith.remui %bq, %gy : index
%bz = arith.divui %bq, %gy : index
%gbase = arith.muli %group, %items : index
%gid = arith.addi %gbase, %lin : index
%s64_all0 = arith.constant 50 : index
%s64_at0 = arith.remui %tz, %s64_all0 : index
%s64_from0 = arith.addi %s64_at0, %zero : index
%v65 = memref.load %s64_cells[%s64_from0] : memref<50xf32>
memref.store %v65, %kept65[%lin] : memref<50xf32>
}
scf.for %lin = %zero to %all step %one {
%nx = arith.constant 50 : index
%ny = arith.constant 1 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 50 : index
%tx = arith.remui %lin, %nx : index
%tq = arith.divui %lin, %nx : index
%ty = arith.remui %tq, %ny : index
%tz = arith.divui %tq, %ny : index
%bx = arith.remui %group, %gx : index
%bq = arith.divui %group, %gx : index
%by = arith.remui %bq, %gy : index
%bz = arith.divui %bq, %gy : index
%gbase = arith.muli %group, %items : index
%gid = arith.addi %gbase, %lin : index
%v72 = arith.constant 0.0 : bf16
memref.store %v72, %kept72[%lin] : memref<50xbf16>
}
scf.for %lin = %zero to %all step %one {
%nx = arith.constant 50 : index
%ny = arith.constant 1 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 50 : index
%tx = arith.remui %lin, %nx : index
%tq = arith.divui %lin, %nx : index
%ty = arith.remui %tq, %ny : index
%tz = arith.divui %tq, %ny : index
%bx = arith.remui %group, %gx : index
%bq = arith.divui %group, %gx : index
%by = arith.remui %bq, %gy : index
%bz = arith.divui %bq, %gy : index
%gbase = arith.muli %group, %items : index
%gid = arith.addi %gbase, %lin : index
%v72 = memref.load %kept72[%lin] : memref<50xbf16>
%s73_shift = arith.constant 10 : index
%s73_n = arith.constant 50 : index
%s73_moved = arith.addi %lin, %s73_shift : index
%s73_to = arith.remui %s73_moved, %s73_n : index
%s73_cell = arith.addi %s73_to, %zero : index
memref.store %v72, %s73_cells[%s73_cell] : memref<50xbf16>
}
scf.for %lin = %zero to %all step %one {
%nx = arith.constant 50 : index
%ny = arith.constant 1 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 50 : index
%tx = arith.remui %lin, %nx : index
%tq = arith.divui %lin, %nx : index
%ty = arith.remui %tq, %ny : index
%tz = arith.divui %tq, %ny : index
%bx = arith.remui %group, %gx : index
%bq = arith.divui %group, %gx : index
%by = arith.remui %bq, %gy : index
%bz = arith.divui %bq, %gy : index
%gbase = arith.muli %group, %items : index
%gid = arith.addi %gbase, %lin : index
%s73_all0 = arith.constant 50 : index
%s73_at0 = arith.remui %by, %s73_all0 : index
%s73_from0 = arith.addi %s73_at0, %zero : index
%v74 = memref.load %s73_cells[%s73_from0] : memref<50xbf16>
%s73_all1 = arith.constant 50 : index
%s73_at1 = arith.remui %bx, %s73_all1 : index
%s73_from1 = arith.addi %s73_at1, %zero : index
%v75 = memref.load %s73_cells[%s73_from1] : memref<50xbf16>
}
scf.for %lin = %zero to %all step %one {
%nx = arith.constant 50 : index
%ny = arith.constant 1 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 50 : index
%tx = arith.remui %lin, %nx : index
%tq = arith.divui %lin, %nx : index
%ty = arith.remui %tq, %ny : index
%tz = arith.divui %tq, %ny : index
%bx = arith.remui %group, %gx : index
%bq = arith.divui %group, %gx : index
%by = arith.remui %bq, %gy : index
%bz = arith.divui %bq, %gy : index
%gbase = arith.muli %group, %items : index
%gid = arith.addi %gbase, %lin : index
%v65 = memref.load %kept65[%lin] : memref<50xf32>
%v80 = arith.minimumf %v65, %v65 : f32
memref.store %v80, %kept80[%lin] : memref<50xf32>
}
scf.for %lin = %zero to %all step %one {
%nx = arith.constant 50 : index
%ny = arith.constant 1 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 50 : index
%tx = arith.remui %lin, %nx : index
%tq = arith.divui %lin, %nx : index
%ty = arith.remui %tq, %ny : index
%tz = arith.divui %tq, %ny : index
%bx = arith.remui %group, %gx : index
%bq = arith.divui %group, %gx : index
%by = arith.remui %bq, %gy : index
%bz = arith.divui %bq, %gy : index
%gbase = arith.muli %group, %items : index
%gid = arith.addi %gbase, %lin : index
%v91 = arith.constant 0 : i64
memref.store %v91, %kept91[%lin] : memref<50xi64>
}
scf.for %lin = %zero to %all step %one {
%nx = arith.constant 50 : index
%ny = arith.constant 1 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 50 : index
%tx = arith.remui %lin, %nx : index
%tq = arith.divui %lin, %nx : index
%ty = arith.remui %tq, %ny : index
%tz = arith.divui %tq, %ny : index
%bx = arith.remui %group, %gx : index
%bq = arith.divui %group, %gx : index
%by = arith.remui %bq, %gy : index
%bz = arith.divui %bq, %gy : index
%gbase = arith.muli %group, %items : index
%gid = arith.addi %gbase, %lin : index
%v148 = arith.constant 0 : i64
memref.store %v148, %kept148[%lin] : memref<50xi64>
}
scf.for %lin = %zero to %all step %one {
%nx = arith.constant 50 : index
%ny = arith.constant 1 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 50 : index
%tx = arith.remui %lin, %nx : index
%tq = arith.divui %lin, %nx : index
%ty = arith.remui %tq, %ny : index
%tz = arith.divui %tq, %ny : index
%bx = arith.remui %group, %gx : index
%bq = arith.divui %group, %gx : index
%by = arith.remui %bq, %gy : index
%bz = arith.divui %bq, %gy : index
%gbase = arith.muli %group, %items : index
%gid = arith.addi %gbase, %lin : index
%v164 = arith.constant 0.0 : f32
memref.store %v164, %kept164[%lin] : memref<50xf32>
}
scf.for %lin = %zero to %all step %one {
%nx = arith.constant 50 : index
%ny = arith.constant 1 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 50 : index
%tx = arith.remui %lin, %nx : index
%tq = arith.divui %lin, %nx : index
%ty = arith.remui %tq, %ny : index
%tz = arith.divui %tq, %ny : index
%bx = arith.remui %group, %gx : index
%bq = arith.divui %group, %gx : index
%by = arith.remui %bq, %gy : index
%bz = arith.divui %bq, %gy : index
%gbase = arith.muli %group, %items : index
%gid = arith.addi %gbase, %lin : index
%v164 = memref.load %kept164[%lin] : memref<50xf32>
%v148 = memref.load %kept148[%lin] : memref<50xi64>
%v65 = memref.load %kept65[%lin] : memref<50xf32>
%v80 = memref.load %kept80[%lin] : memref<50xf32>
%v91 = memref.load %kept91[%lin] : memref<50xi64>
%v177 = arith.constant false
%v210, %v211 = scf.if %v177 -> (f32, i64) {
scf.yield %v164, %v148 : f32, i64
} else {
%s209_x = math.absf %v65 : f32
%s209_y = arith.negf %v80 : f32
%v208 = arith.mulf %s209_x, %s209_y : f32
scf.yield %v208, %v91 : f32, i64
}
%s213_bits = arith.bitcast %v210 : f32 to i32
%s213_most = arith.constant 0x7FFFFFFF : i32
%s213_infinity = arith.constant 0x7F800000 : i32
%s213_nan = arith.constant 0x7FC00000 : i32
%s213_size = arith.andi %s213_bits, %s213_most : i32
%s213_odd = arith.cmpi ugt, %s213_size, %s213_infinity : i32
%s213_b = arith.select %s213_odd, %s213_nan, %s213_bits : i1, i32
%s213_w = arith.extui %s213_b : i32 to i64
%s213_k = arith.constant 768 : index
%s213_at = arith.addi %gid, %s213_k : index
memref.store %s213_w, %out[%s213_at] : memref<16384xi64>
}
}
return
}
