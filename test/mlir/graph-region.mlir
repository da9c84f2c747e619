// A region of ordinary launches recorded as a graph, three times with other values:
// the second and third time the graph is changed in place. Its launches, each on a
// stream of its own that is waited for, are one graph launch.
//
// RUN: %lower gpu %s %t.mlir
// RUN: %link %t.mlir %t
// RUN: %t
// RUN: env MGPU_CHECK=memory,race MGPU_ON_ERROR=abort %t
// RUN: %jit %t.mlir | FileCheck %s --check-prefix=RIGHT
// RUN: env MGPU_CACHE=off %t >%t.off 2>&1; test $? -eq 3
// RUN: FileCheck %s <%t.off
// RIGHT: {{^}}0{{$}}
//
// Without a cache nothing is recorded: the results are right, and no graph
// was launched, which main counts as three wrongs.
// CHECK: mgpu: graph 0x1 is executed call by call: MGPU_CACHE=off
// CHECK-NOT: failed

func.func private @mgpuxGraphBegin(i64) -> i32
func.func private @mgpuxGraphEnd() -> i32

func.func @region(%a: memref<64xi32>, %add: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = arith.constant 10 : index
  %key = arith.constant 1 : i64
  %begun = func.call @mgpuxGraphBegin(%key) : (i64) -> i32
  scf.for %i = %c0 to %n step %c1 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      %three = arith.constant 3 : i32
      %old = memref.load %a[%tx] : memref<64xi32>
      %scaled = arith.muli %old, %three : i32
      %new = arith.addi %scaled, %add : i32
      memref.store %new, %a[%tx] : memref<64xi32>
      gpu.terminator
    }
  }
  %launched = func.call @mgpuxGraphEnd() : () -> i32
  return %launched : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %a = memref.alloc() : memref<64xi32>
  scf.for %i = %c0 to %c64 step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %a[%i] : memref<64xi32>
  }
  %graphs = scf.for %r = %c0 to %c3 step %c1 iter_args(%sum = %zero) -> i32 {
    %add = arith.index_cast %r : index to i32
    %launched = func.call @region(%a, %add) : (memref<64xi32>, i32) -> i32
    %next = arith.addi %sum, %launched : i32
    scf.yield %next : i32
  }
  // The same on the host.
  %wrong = scf.for %i = %c0 to %c64 step %c1 iter_args(%bad = %zero) -> i32 {
    %begin = arith.index_cast %i : index to i32
    %want = scf.for %r = %c0 to %c3 step %c1 iter_args(%x = %begin) -> i32 {
      %add = arith.index_cast %r : index to i32
      %y = scf.for %k = %c0 to %c10 step %c1 iter_args(%z = %x) -> i32 {
        %scaled = arith.muli %z, %three : i32
        %w = arith.addi %scaled, %add : i32
        scf.yield %w : i32
      }
      scf.yield %y : i32
    }
    %got = memref.load %a[%i] : memref<64xi32>
    %differs = arith.cmpi ne, %got, %want : i32
    %more = arith.extui %differs : i1 to i32
    %next = arith.addi %bad, %more : i32
    scf.yield %next : i32
  }
  memref.dealloc %a : memref<64xi32>
  %missing = arith.subi %three, %graphs : i32
  %result = arith.addi %wrong, %missing : i32
  return %result : i32
}
