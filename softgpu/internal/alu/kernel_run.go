package alu

// A run is a sequence of instructions that one call executes: an array of ops. An op is a kernel in assembly with its
// operands, and jumps to the next op. Ops compute all lanes of the wave, 64 or 32. A branch's op ends the run or
// repeats it.

// Op is one kernel of a run. Its layout is known to kernel_amd64.h.
type Op struct {
	Code uintptr    // 0: the kernel is not known
	File [8]uint8   // of each operand: the base of At
	At   [6]uintptr // in bytes
}

// Files are where the operands of ops are, by these numbers. Its layout is known to kernel_amd64.h.
type Files struct {
	At     [4]uintptr
	Extent uintptr // of a vector register, in bytes: ops do nothing to the upper half in waves of 32
	Budget int     // instructions that branches to the run's beginning may repeat; those that a branch skips are added
}

// Results of RunOps; others are the address of the op that declined.
const (
	RunEnded uintptr = 0
	RunLeft  uintptr = 1 // by a branch, which has set the program counter
)

// Route is the runs that waves take from one program counter to a barrier or their end. Its layout is known to
// kernel_run_amd64.s.
type Route struct {
	Legs   [2]Leg
	Count  int     // of Legs
	Exec   uintptr // the places of EXEC and of the program counter in a wave
	PC     uintptr
	Budget int     // that of Files at the start of each leg
	End    uintptr // program counter after the last leg
}

// Leg is one run of a route.
type Leg struct {
	Ops   uintptr // address of the first, in the form for waves with all lanes active
	From  uintptr // program counter of its beginning, in words
	Leave uintptr // what RunOps returns to go on: RunLeft if a branch leads to the next leg, else RunEnded
}

// RunNotBegun is returned by RunWaves if a lane is not active at the beginning of the leg.
const RunNotBegun uintptr = 2

// Operands of the ops of branches beside the program counter and the condition.
const (
	LeaveTo    = 2 // where the branch goes, in words
	LeaveSkip  = 3 // instructions of the run after it
	LeaveCount = 4 // instructions from the run's beginning to it
	LeaveRound = 5 // address of the run's first op, if the branch goes there; 0: the run ends
)

// Operands of the ops of permutations and dot products beside their registers.
const (
	BpermuteOffset = 5 // added to the addresses
	Dot2Flush      = 4 // see avxDot2F32F16
	Dot2Flip       = 5
)

// Operands of the op of LoadsAhead beside the register with the offsets.
const (
	LoadsCount = 2 // ops whose work it does
	LoadsEnd   = 5 // the greatest offset of them and 4
)

// Extents of vector registers.
const (
	Extent64 = 256
	Extent32 = 128
)

// What an operand's place is relative to.
const (
	Fixed       uint8 = iota // nothing: it is an address
	Vectors                  // the wave's vector registers
	Accumulator              // its accumulators
	Rest                     // the Wave
)

// Numbers of ops, in the order of opCodes in kernel_run_amd64.s.
const (
	OpEnd = iota
	OpDecline
	OpFill
	OpAlter
	OpPermute
	OpPermuteIn32
	OpBpermute
	OpBpermuteIn32
	opDot2F32F16
	OpCall1
	OpCall2
	OpCall3
	OpIfFull
	OpUnlessFull
	OpLeave
	OpLeaveZero32
	OpLeaveNonzero32
	OpLeaveZero
	OpLeaveNonzero
	OpMove
	opCvtF32I32
	opAddU32
	opSubU32
	opSubrevU32
	opAndB32
	opOrB32
	opXorB32
	opMulLoU32
	opMinI32
	opMaxI32
	opMinU32
	opMaxU32
	opAddF32
	opSubF32
	opSubrevF32
	opMulF32
	opLshlrevB32
	opLshrrevB32
	opAshrrevI32
	opFmaF32
	opLshlAddU32
	opLshlOrB32
	opAddLshlU32
	opAdd3U32
	opAndOrB32
	opOr3B32
	opEqual32
	opLessI32
	opLessU32
	opLessF32
	opAtMostF32
	opEqualF32
	opUnequalF32
	opOrderedF32
	OpSelect
	opAddCoU32
	opAddcCoU32
	opSubCoU32
	opSubbCoU32
	opLshlrevB64
	opLshrrevB64
	opAshrrevI64
	opAddF64
	opMulF64
	opFmaF64
	opMadU64U32
	opMadI64I32
	opEqual64
	opLessU64
	opLessI64
	opLessF64
	opAtMostF64
	opEqualF64
	opUnequalF64
	opOrderedF64
	opMinF32
	opMaxF32
	OpLoadLDS
	OpLoadLDS2
	OpStoreLDS
	OpStoreLDS2
	OpLoadGlobal
	OpLoadGlobalBased
	OpStoreGlobal
	OpStoreGlobalBased
	OpLoadScalar
	OpSMov32
	OpSMov64
	OpSAddU32
	OpSAddcU32
	OpSSubU32
	OpSSubbU32
	OpSAddI32
	OpSSubI32
	OpSMulI32
	OpSAnd32
	OpSOr32
	OpSXor32
	OpSAndn2
	OpSLshl32
	OpSLshr32
	OpSAshr32
	OpSAnd64
	OpSOr64
	OpSXor64
	OpSAndn2Wide
	OpSLshl64
	OpSLshr64
	OpSAshr64
	OpSSelect32
	OpSSelect64
	OpSEqual
	OpSUnequal
	OpSLess
	OpSAtMost
	OpSLessU
	OpSAtMostU
	OpSGreater
	OpSAtLeast
	OpSGreaterU
	OpSAtLeastU
	OpSEqual64
	OpSUnequal64
	opCount

	nearCount = OpLoadScalar - OpMove // ops with near variants: from OpMove on
)
