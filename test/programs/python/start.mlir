// A kernel that sets flag[1] to 2 and runs until flag[0] is not 0. The function returns while it
// runs: lowered without gpu-async-region, which would wait.
func.func @start(%flag: memref<2xi32>) attributes {llvm.emit_c_interface} {
  %c1 = arith.constant 1 : index
  %begin = gpu.wait async
  %launched = gpu.launch async [%begin] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
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
