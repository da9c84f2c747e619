// k37, chip gfx906, -O2, inputs 1, groups 1 2 1, work-items 1 64 1
// On the device:
func.func private @k37_h0(%v1: f32, %v2: i32, %v3: i32) -> i64 attributes {passthrough = ["noinline"]} {
%v53 = arith.constant 0 : i64
return %v53 : i64
}
func.func private @k37_h1(%v55: bf16, %v56: i32, %v57: i32) -> bf16 attributes {passthrough = ["noinline"]} {
return %v55 : bf16
}
gpu.func @k37({arguments})
private(%private0 : memref<8xf64, #gpu.address_space<private>>)
kernel attributes {gpu.known_block_size = array<i32: 1, 64, 1>} {
%zero = arith.constant 0 : index
%one = arith.constant 1 : index
%zero64 = arith.constant 0 : i64
%nx = arith.constant 1 : index
%ny = arith.constant 64 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 64 : index
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
%v120 = arith.constant false
%v142 = arith.constant 0 : i16
%s158_n = arith.constant 2 : index
%v178 = scf.for %s158_i = %zero to %s158_n step %one iter_args(%v159 = %v120) -> (i1) {
%s161_base = arith.constant 256 : index
%s161_at = arith.addi %gid, %s161_base : index
%v160 = memref.atomic_rmw maxu %v142, %own_i16[%s161_at] : (i16, memref<1024xi16>) -> i16
scf.yield %v159 : i1
}
gpu.return
}
// On the host:
func.func private @k37_h0(%v1: f32, %v2: i32, %v3: i32) -> i64 {
%v53 = arith.constant 0 : i64
return %v53 : i64
}
func.func private @k37_h1(%v55: bf16, %v56: i32, %v57: i32) -> bf16 {
return %v55 : bf16
}
func.func @k37({arguments}) {
%zero = arith.constant 0 : index
%one = arith.constant 1 : index
%zero64 = arith.constant 0 : i64
%all = arith.constant 64 : index
%groups = arith.constant 2 : index
%private0 = memref.alloca() : memref<64x8xf64>
%kept120 = memref.alloca() : memref<64xi1>
%kept142 = memref.alloca() : memref<64xi16>
%kept178 = memref.alloca() : memref<64xi1>
%kept159 = memref.alloca() : memref<64xi1>
scf.for %group = %zero to %groups step %one {
scf.for %lin = %zero to %all step %one {
%nx = arith.constant 1 : index
%ny = arith.constant 64 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 64 : index
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
%v120 = arith.constant false
memref.store %v120, %kept120[%lin] : memref<64xi1>
%v142 = arith.constant 0 : i16
memref.store %v142, %kept142[%lin] : memref<64xi16>
}
scf.for %lin = %zero to %all step %one {
%nx = arith.constant 1 : index
%ny = arith.constant 64 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 64 : index
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
%v120 = memref.load %kept120[%lin] : memref<64xi1>
memref.store %v120, %kept159[%lin] : memref<64xi1>
}
%s158_n = arith.constant 2 : index
scf.for %s158_i = %zero to %s158_n step %one {
scf.for %lin = %zero to %all step %one {
%nx = arith.constant 1 : index
%ny = arith.constant 64 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 64 : index
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
%v142 = memref.load %kept142[%lin] : memref<64xi16>
%s161_base = arith.constant 256 : index
%s161_at = arith.addi %gid, %s161_base : index
%v160 = memref.atomic_rmw maxu %v142, %own_i16[%s161_at] : (i16, memref<1024xi16>) -> i16
}
scf.for %lin = %zero to %all step %one {
%nx = arith.constant 1 : index
%ny = arith.constant 64 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 64 : index
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
%v159 = memref.load %kept159[%lin] : memref<64xi1>
memref.store %v159, %kept159[%lin] : memref<64xi1>
}
}
scf.for %lin = %zero to %all step %one {
%nx = arith.constant 1 : index
%ny = arith.constant 64 : index
%gx = arith.constant 1 : index
%gy = arith.constant 2 : index
%items = arith.constant 64 : index
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
}
}
return
}
