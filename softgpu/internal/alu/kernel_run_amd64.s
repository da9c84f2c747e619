#include "textflag.h"
#include "kernel_amd64.h"

#define NOTHINGBEFORE
#define CODE(NAME) LEAQ NAME(SB), AX; MOVQ AX, (DI); ADDQ $8, DI;

#define LEG 24
#define FILES 48

// func RunWaves(r *Route, files *Files, waves int) (done, leg int, stopped uintptr, repeated int)
TEXT ·RunWaves(SB), NOSPLIT, $40-56
	MOVQ files+8(FP), R13
	MOVQ R13, nextfiles-8(SP)
	MOVQ $0, done+24(FP)
	MOVQ $0, repeated+48(FP)
wave:
	MOVQ $0, leg+32(FP)
	MOVQ r+0(FP), R8
	MOVQ R8, nextleg-16(SP)
	MOVQ done+24(FP), AX
	MOVQ $0, stopped+40(FP)
	CMPQ AX, waves+16(FP)
	JGE over
leg:
	MOVQ 24(R13), AX // the wave
	MOVQ r+0(FP), R9
	ADDQ 56(R9), AX
	MOVQ $2, stopped+40(FP)
	CMPQ 32(R13), $256
	JNE half
	CMPL 4(AX), $-1
	JNE over
half:
	CMPL (AX), $-1
	JNE over
	MOVQ 72(R9), AX
	MOVQ AX, BUDGET
	MOVQ (R8), AX
	MOVQ AX, 0(SP)
	MOVQ R13, 8(SP)
	CALL ·RunOps(SB)
	MOVQ r+0(FP), R9
	MOVQ nextleg-16(SP), R8
	MOVQ nextfiles-8(SP), R13
	MOVQ 72(R9), AX
	SUBQ BUDGET, AX
	ADDQ AX, repeated+48(FP)
	MOVQ 16(SP), AX
	MOVQ AX, stopped+40(FP)
	CMPQ AX, 16(R8)
	JNE over
	MOVQ leg+32(FP), DX
	INCQ DX
	CMPQ DX, 48(R9)
	JGE took
	CMPQ AX, $1
	JNE follows
	MOVQ 24(R13), CX
	ADDQ 64(R9), CX
	MOVL (CX), CX
	CMPQ CX, (LEG+8)(R8)
	JNE over
follows:
	MOVQ DX, leg+32(FP)
	ADDQ $LEG, R8
	MOVQ R8, nextleg-16(SP)
	JMP leg
took:
	MOVQ 24(R13), CX
	ADDQ 64(R9), CX
	MOVQ 80(R9), DX
	MOVL DX, (CX)
	INCQ done+24(FP)
	ADDQ $FILES, R13
	MOVQ R13, nextfiles-8(SP)
	JMP wave
over:
	RET

// Runs: see kernel_run.go. An op's SI and DX are its sources, DI is its result.

// func RunOps(ops *Op, files *Files) (stopped uintptr)
TEXT ·RunOps(SB), NOSPLIT, $0-24
	MOVQ ops+0(FP), R12
	MOVQ files+8(FP), R13
	MOVQ 8(R13), R14
	MOVQ 32(R13), R15
	MOVQ (R12), AX
	JMP AX

// Ops have RunOps' frame: its parameters follow the return address.
OP(·opEnd)
	VZEROUPPER
	MOVQ $0, stopped+16(FP)
	RET

// opDecline ends a run at the op that goes here.
OP(·opDecline)
	VZEROUPPER
	MOVQ R12, stopped+16(FP)
	RET

// Runs have two forms: for waves with all lanes active, and for others. After an instruction that writes EXEC, the op's
// second operand, the run continues in the form that is right then, at the place that the first word names.
#define FORM(NAME, GO) \
OP(NAME) \
	PLACE(1, SI) \
	WHOLEWAVE \
	JNE half \
	CMPQ (SI), $-1 \
	GO other \
	NEXTOP \
half: \
	CMPL (SI), $-1 \
	GO other \
	NEXTOP \
other: \
	MOVQ 16(R12), R12 \
	MOVQ (R12), AX \
	JMP AX

FORM(·opIfFull, JNE)
FORM(·opUnlessFull, JEQ)

// Branches, if they are taken, go on at the beginning of the run or leave it.
OP(·opLeave)
	MOVQ 56(R12), AX
	TESTQ AX, AX
	JEQ out
	MOVQ BUDGET, DX
	SUBQ 48(R12), DX
	JLT out
	MOVQ DX, BUDGET
	MOVQ AX, R12
	MOVQ (R12), AX
	JMP AX
out:
	PLACE(0, DI)
	MOVQ 32(R12), AX
	MOVL AX, (DI)
	MOVQ 40(R12), AX
	ADDQ AX, BUDGET
	VZEROUPPER
	MOVQ $1, stopped+16(FP)
	RET

#define LEAVE(NAME, UNLESS) \
OP(NAME) \
	PLACE(1, SI) \
	CMPL (SI), $0 \
	UNLESS 2(PC) \
	JMP ·opLeave(SB) \
	NEXTOP

LEAVE(·opLeaveZero32, JNE)
LEAVE(·opLeaveNonzero32, JEQ)

// The operand is a mask: of two registers, or of one.
#define LEAVEMASK(NAME, UNLESS) \
OP(NAME) \
	PLACE(1, SI) \
	TAKEMASK(SI, AX) \
	TESTQ AX, AX \
	UNLESS 2(PC) \
	JMP ·opLeave(SB) \
	NEXTOP

LEAVEMASK(·opLeaveZero, JNE)
LEAVEMASK(·opLeaveNonzero, JEQ)

// Ops that call a whole-wave kernel. Their last word is its address. Kernels preserve R12 to R15.
#define CALLED(MORE) \
	PLACE(0, DI) \
	PLACE(1, SI) \
	MORE \
	MOVQ 56(R12), AX \
	SUBQ $32, SP \
	MOVQ DI, 0(SP) \
	MOVQ SI, 8(SP) \
	MOVQ DX, 16(SP) \
	MOVQ CX, 24(SP) \
	CALL AX \
	ADDQ $32, SP \
	NEXTOP

#define SECOND PLACE(2, DX)
#define THIRD SECOND; PLACE(3, CX)

OP(·opCall1)
	CALLED(NOTHINGBEFORE)
OP(·opCall2)
	CALLED(SECOND)
OP(·opCall3)
	CALLED(THIRD)

// func calledCodes(codes *[38]uintptr)
TEXT ·calledCodes(SB), NOSPLIT, $0-8
	MOVQ codes+0(FP), DI
	CODE(·avxRndneF32)
	CODE(·avxFloorF32)
	CODE(·avxCeilF32)
	CODE(·avxTruncF32)
	CODE(·avxFractF32)
	CODE(·avxRcpF32)
	CODE(·avxSqrtF32)
	CODE(·avxRsqF32)
	CODE(·avxExpF32)
	CODE(·avxCvtF32F16)
	CODE(·avxCvtF32HighF16)
	CODE(·avxCvtF16F32)
	CODE(·avxAddF16)
	CODE(·avxSubF16)
	CODE(·avxSubrevF16)
	CODE(·avxMulF16)
	CODE(·avxPkAddF16)
	CODE(·avxPkMulF16)
	CODE(·avxLdexpF32)
	CODE(·avxPkMinI16)
	CODE(·avxPkMaxI16)
	CODE(·avxCvtPkF16F32)
	CODE(·avxCvtPkrtzF16F32)
	CODE(·avxCvtPkBf16F32)
	CODE(·avxFmaF16)
	CODE(·avxPkFmaF16)
	CODE(·avxPkMad16)
	CODE(·avxDot2I32)
	CODE(·avxDot2U32)
	CODE(·avxDot4I32)
	CODE(·avxDot4U32)
	CODE(·avxDot8I32)
	CODE(·avxDot8U32)
	CODE(·avxSadU8)
	CODE(·avxSadHiU8)
	CODE(·avxMsadU8)
	CODE(·avxSadU16)
	CODE(·avxLerpU8)
	RET

// Scalar instructions. SCC is their fifth operand.

#define SCALAR(NAME, MOVE, BEFORE, DO, SET) \
OP(NAME) \
	PLACE(0, DI) \
	PLACE(1, SI) \
	PLACE(2, DX) \
	PLACE(4, R10) \
	XORL R8, R8 \
	MOVE (SI), AX \
	BEFORE \
	DO (DX), AX \
	SET R8 \
	MOVE AX, (DI) \
	MOVL R8, (R10) \
	NEXTOP

#define CARRYIN MOVL (R10), R9; NEGL R9;

SCALAR(·opSAddU32, MOVL, NOTHINGBEFORE, ADDL, SETCS)
SCALAR(·opSSubU32, MOVL, NOTHINGBEFORE, SUBL, SETCS)
SCALAR(·opSAddcU32, MOVL, CARRYIN, ADCL, SETCS)
SCALAR(·opSSubbU32, MOVL, CARRYIN, SBBL, SETCS)
SCALAR(·opSAddI32, MOVL, NOTHINGBEFORE, ADDL, SETOS)
SCALAR(·opSSubI32, MOVL, NOTHINGBEFORE, SUBL, SETOS)
SCALAR(·opSAnd32, MOVL, NOTHINGBEFORE, ANDL, SETNE)
SCALAR(·opSOr32, MOVL, NOTHINGBEFORE, ORL, SETNE)
SCALAR(·opSXor32, MOVL, NOTHINGBEFORE, XORL, SETNE)
SCALAR(·opSAnd64, MOVQ, NOTHINGBEFORE, ANDQ, SETNE)
SCALAR(·opSOr64, MOVQ, NOTHINGBEFORE, ORQ, SETNE)
SCALAR(·opSXor64, MOVQ, NOTHINGBEFORE, XORQ, SETNE)

#define ANDNOT(NAME, MOVE, NOT, AND) \
OP(NAME) \
	PLACE(0, DI) \
	PLACE(1, SI) \
	PLACE(2, DX) \
	PLACE(4, R10) \
	XORL R8, R8 \
	MOVE (DX), AX \
	NOT AX \
	AND (SI), AX \
	SETNE R8 \
	MOVE AX, (DI) \
	MOVL R8, (R10) \
	NEXTOP

ANDNOT(·opSAndn2, MOVL, NOTL, ANDL)
ANDNOT(·opSAndn2Wide, MOVQ, NOTQ, ANDQ)

// A shift by 0 leaves the flags alone.
#define SHIFTED(NAME, MOVE, HOW, TEST) \
OP(NAME) \
	PLACE(0, DI) \
	PLACE(1, SI) \
	PLACE(2, DX) \
	PLACE(4, R10) \
	XORL R8, R8 \
	MOVE (SI), AX \
	MOVL (DX), CX \
	HOW CX, AX \
	TEST AX, AX \
	SETNE R8 \
	MOVE AX, (DI) \
	MOVL R8, (R10) \
	NEXTOP

SHIFTED(·opSLshl32, MOVL, SHLL, TESTL)
SHIFTED(·opSLshr32, MOVL, SHRL, TESTL)
SHIFTED(·opSAshr32, MOVL, SARL, TESTL)
SHIFTED(·opSLshl64, MOVQ, SHLQ, TESTQ)
SHIFTED(·opSLshr64, MOVQ, SHRQ, TESTQ)
SHIFTED(·opSAshr64, MOVQ, SARQ, TESTQ)

OP(·opSMulI32)
	PLACE(0, DI)
	PLACE(1, SI)
	PLACE(2, DX)
	MOVL (SI), AX
	IMULL (DX), AX
	MOVL AX, (DI)
	NEXTOP

#define SELECTED(NAME, MOVE, CMOVE) \
OP(NAME) \
	PLACE(0, DI) \
	PLACE(1, SI) \
	PLACE(2, DX) \
	PLACE(4, R10) \
	MOVE (DX), R8 \
	CMPL (R10), $0 \
	CMOVE (SI), R8 \
	MOVE R8, (DI) \
	NEXTOP

SELECTED(·opSSelect32, MOVL, CMOVLNE)
SELECTED(·opSSelect64, MOVQ, CMOVQNE)

#define MOVED(NAME, MOVE) \
OP(NAME) \
	PLACE(0, DI) \
	PLACE(1, SI) \
	MOVE (SI), AX \
	MOVE AX, (DI) \
	NEXTOP

MOVED(·opSMov32, MOVL)
MOVED(·opSMov64, MOVQ)

#define COMPARE(NAME, MOVE, CMP, SET) \
OP(NAME) \
	PLACE(1, SI) \
	PLACE(2, DX) \
	PLACE(4, R10) \
	XORL R8, R8 \
	MOVE (SI), AX \
	CMP AX, (DX) \
	SET R8 \
	MOVL R8, (R10) \
	NEXTOP

COMPARE(·opSEqual, MOVL, CMPL, SETEQ)
COMPARE(·opSUnequal, MOVL, CMPL, SETNE)
COMPARE(·opSLess, MOVL, CMPL, SETLT)
COMPARE(·opSAtMost, MOVL, CMPL, SETLE)
COMPARE(·opSGreater, MOVL, CMPL, SETGT)
COMPARE(·opSAtLeast, MOVL, CMPL, SETGE)
COMPARE(·opSLessU, MOVL, CMPL, SETCS)
COMPARE(·opSAtMostU, MOVL, CMPL, SETLS)
COMPARE(·opSGreaterU, MOVL, CMPL, SETHI)
COMPARE(·opSAtLeastU, MOVL, CMPL, SETCC)
COMPARE(·opSEqual64, MOVQ, CMPQ, SETEQ)
COMPARE(·opSUnequal64, MOVQ, CMPQ, SETNE)


// func opCodes(codes *[opCount]uintptr)
TEXT ·opCodes(SB), NOSPLIT, $0-8
	MOVQ codes+0(FP), DI
	CODE(·opEnd)
	CODE(·opDecline)
	CODE(·opFill)
	CODE(·opAlter)
	CODE(·opPermute)
	CODE(·opPermuteIn32)
	CODE(·opBpermute)
	CODE(·opBpermuteIn32)
	CODE(·opDot2F32F16)
	CODE(·opCall1)
	CODE(·opCall2)
	CODE(·opCall3)
	CODE(·opIfFull)
	CODE(·opUnlessFull)
	CODE(·opLeave)
	CODE(·opLeaveZero32)
	CODE(·opLeaveNonzero32)
	CODE(·opLeaveZero)
	CODE(·opLeaveNonzero)
	CODE(·opMove)
	CODE(·opCvtF32I32)
	CODE(·opAddU32)
	CODE(·opSubU32)
	CODE(·opSubrevU32)
	CODE(·opAndB32)
	CODE(·opOrB32)
	CODE(·opXorB32)
	CODE(·opMulLoU32)
	CODE(·opMinI32)
	CODE(·opMaxI32)
	CODE(·opMinU32)
	CODE(·opMaxU32)
	CODE(·opAddF32)
	CODE(·opSubF32)
	CODE(·opSubrevF32)
	CODE(·opMulF32)
	CODE(·opLshlrevB32)
	CODE(·opLshrrevB32)
	CODE(·opAshrrevI32)
	CODE(·opFmaF32)
	CODE(·opLshlAddU32)
	CODE(·opLshlOrB32)
	CODE(·opAddLshlU32)
	CODE(·opAdd3U32)
	CODE(·opAndOrB32)
	CODE(·opOr3B32)
	CODE(·opEqual32)
	CODE(·opLessI32)
	CODE(·opLessU32)
	CODE(·opLessF32)
	CODE(·opAtMostF32)
	CODE(·opEqualF32)
	CODE(·opUnequalF32)
	CODE(·opOrderedF32)
	CODE(·opSelect)
	CODE(·opAddCoU32)
	CODE(·opAddcCoU32)
	CODE(·opSubCoU32)
	CODE(·opSubbCoU32)
	CODE(·opLshlrevB64)
	CODE(·opLshrrevB64)
	CODE(·opAshrrevI64)
	CODE(·opAddF64)
	CODE(·opMulF64)
	CODE(·opFmaF64)
	CODE(·opMadU64U32)
	CODE(·opMadI64I32)
	CODE(·opEqual64)
	CODE(·opLessU64)
	CODE(·opLessI64)
	CODE(·opLessF64)
	CODE(·opAtMostF64)
	CODE(·opEqualF64)
	CODE(·opUnequalF64)
	CODE(·opOrderedF64)
	CODE(·opMinF32)
	CODE(·opMaxF32)
	CODE(·opLoadLDS)
	CODE(·opLoadLDS2)
	CODE(·opStoreLDS)
	CODE(·opStoreLDS2)
	CODE(·opLoadGlobal)
	CODE(·opLoadGlobalBased)
	CODE(·opStoreGlobal)
	CODE(·opStoreGlobalBased)
	CODE(·opLoadScalar)
	CODE(·opSMov32)
	CODE(·opSMov64)
	CODE(·opSAddU32)
	CODE(·opSAddcU32)
	CODE(·opSSubU32)
	CODE(·opSSubbU32)
	CODE(·opSAddI32)
	CODE(·opSSubI32)
	CODE(·opSMulI32)
	CODE(·opSAnd32)
	CODE(·opSOr32)
	CODE(·opSXor32)
	CODE(·opSAndn2)
	CODE(·opSLshl32)
	CODE(·opSLshr32)
	CODE(·opSAshr32)
	CODE(·opSAnd64)
	CODE(·opSOr64)
	CODE(·opSXor64)
	CODE(·opSAndn2Wide)
	CODE(·opSLshl64)
	CODE(·opSLshr64)
	CODE(·opSAshr64)
	CODE(·opSSelect32)
	CODE(·opSSelect64)
	CODE(·opSEqual)
	CODE(·opSUnequal)
	CODE(·opSLess)
	CODE(·opSAtMost)
	CODE(·opSLessU)
	CODE(·opSAtMostU)
	CODE(·opSGreater)
	CODE(·opSAtLeast)
	CODE(·opSGreaterU)
	CODE(·opSAtLeastU)
	CODE(·opSEqual64)
	CODE(·opSUnequal64)
	RET

// func nearCodes(near, mixed *[nearCount]uintptr)
TEXT ·nearCodes(SB), NOSPLIT, $0-16
	MOVQ near+0(FP), DI
	CODE(·nearMove)
	CODE(·nearCvtF32I32)
	CODE(·nearAddU32)
	CODE(·nearSubU32)
	CODE(·nearSubrevU32)
	CODE(·nearAndB32)
	CODE(·nearOrB32)
	CODE(·nearXorB32)
	CODE(·nearMulLoU32)
	CODE(·nearMinI32)
	CODE(·nearMaxI32)
	CODE(·nearMinU32)
	CODE(·nearMaxU32)
	CODE(·nearAddF32)
	CODE(·nearSubF32)
	CODE(·nearSubrevF32)
	CODE(·nearMulF32)
	CODE(·nearLshlrevB32)
	CODE(·nearLshrrevB32)
	CODE(·nearAshrrevI32)
	CODE(·nearFmaF32)
	CODE(·nearLshlAddU32)
	CODE(·nearLshlOrB32)
	CODE(·nearAddLshlU32)
	CODE(·nearAdd3U32)
	CODE(·nearAndOrB32)
	CODE(·nearOr3B32)
	CODE(·nearEqual32)
	CODE(·nearLessI32)
	CODE(·nearLessU32)
	CODE(·nearLessF32)
	CODE(·nearAtMostF32)
	CODE(·nearEqualF32)
	CODE(·nearUnequalF32)
	CODE(·nearOrderedF32)
	CODE(·nearSelect)
	CODE(·nearAddCoU32)
	CODE(·nearAddcCoU32)
	CODE(·nearSubCoU32)
	CODE(·nearSubbCoU32)
	CODE(·nearLshlrevB64)
	CODE(·nearLshrrevB64)
	CODE(·nearAshrrevI64)
	CODE(·nearAddF64)
	CODE(·nearMulF64)
	CODE(·nearFmaF64)
	CODE(·nearMadU64U32)
	CODE(·nearMadI64I32)
	CODE(·nearEqual64)
	CODE(·nearLessU64)
	CODE(·nearLessI64)
	CODE(·nearLessF64)
	CODE(·nearAtMostF64)
	CODE(·nearEqualF64)
	CODE(·nearUnequalF64)
	CODE(·nearOrderedF64)
	CODE(·nearMinF32)
	CODE(·nearMaxF32)
	CODE(·nearLoadLDS)
	CODE(·nearLoadLDS2)
	CODE(·nearStoreLDS)
	CODE(·nearStoreLDS2)
	CODE(·nearLoadGlobal)
	CODE(·nearLoadGlobalBased)
	CODE(·nearStoreGlobal)
	CODE(·nearStoreGlobalBased)
	MOVQ mixed+8(FP), DI
	CODE(·mixedMove)
	CODE(·mixedCvtF32I32)
	CODE(·mixedAddU32)
	CODE(·mixedSubU32)
	CODE(·mixedSubrevU32)
	CODE(·mixedAndB32)
	CODE(·mixedOrB32)
	CODE(·mixedXorB32)
	CODE(·mixedMulLoU32)
	CODE(·mixedMinI32)
	CODE(·mixedMaxI32)
	CODE(·mixedMinU32)
	CODE(·mixedMaxU32)
	CODE(·mixedAddF32)
	CODE(·mixedSubF32)
	CODE(·mixedSubrevF32)
	CODE(·mixedMulF32)
	CODE(·mixedLshlrevB32)
	CODE(·mixedLshrrevB32)
	CODE(·mixedAshrrevI32)
	CODE(·mixedFmaF32)
	CODE(·mixedLshlAddU32)
	CODE(·mixedLshlOrB32)
	CODE(·mixedAddLshlU32)
	CODE(·mixedAdd3U32)
	CODE(·mixedAndOrB32)
	CODE(·mixedOr3B32)
	CODE(·mixedEqual32)
	CODE(·mixedLessI32)
	CODE(·mixedLessU32)
	CODE(·mixedLessF32)
	CODE(·mixedAtMostF32)
	CODE(·mixedEqualF32)
	CODE(·mixedUnequalF32)
	CODE(·mixedOrderedF32)
	CODE(·mixedSelect)
	CODE(·mixedAddCoU32)
	CODE(·mixedAddcCoU32)
	CODE(·mixedSubCoU32)
	CODE(·mixedSubbCoU32)
	CODE(·mixedLshlrevB64)
	CODE(·mixedLshrrevB64)
	CODE(·mixedAshrrevI64)
	CODE(·mixedAddF64)
	CODE(·mixedMulF64)
	CODE(·mixedFmaF64)
	CODE(·mixedMadU64U32)
	CODE(·mixedMadI64I32)
	CODE(·mixedEqual64)
	CODE(·mixedLessU64)
	CODE(·mixedLessI64)
	CODE(·mixedLessF64)
	CODE(·mixedAtMostF64)
	CODE(·mixedEqualF64)
	CODE(·mixedUnequalF64)
	CODE(·mixedOrderedF64)
	CODE(·mixedMinF32)
	CODE(·mixedMaxF32)
	CODE(·mixedLoadLDS)
	CODE(·mixedLoadLDS2)
	CODE(·mixedStoreLDS)
	CODE(·mixedStoreLDS2)
	CODE(·mixedLoadGlobal)
	CODE(·mixedLoadGlobalBased)
	CODE(·mixedStoreGlobal)
	CODE(·mixedStoreGlobalBased)
	RET

// func spreadCodes(codes *[spreadCount]uintptr)
TEXT ·spreadCodes(SB), NOSPLIT, $0-8
	MOVQ codes+0(FP), DI
	CODE(·spreadAddU32)
	CODE(·spreadSubU32)
	CODE(·spreadSubrevU32)
	CODE(·spreadAndB32)
	CODE(·spreadOrB32)
	CODE(·spreadXorB32)
	CODE(·spreadMulLoU32)
	CODE(·spreadAddF32)
	CODE(·spreadSubF32)
	CODE(·spreadSubrevF32)
	CODE(·spreadMulF32)
	CODE(·spreadLshlrevB32)
	CODE(·spreadLshrrevB32)
	CODE(·spreadAshrrevI32)
	CODE(·spreadFmaF32)
	CODE(·spreadLshlAddU32)
	CODE(·spreadAdd3U32)
	CODE(·spreadAndOrB32)
	CODE(·spreadEqual32)
	CODE(·spreadLessI32)
	CODE(·spreadLessU32)
	CODE(·spreadLessF32)
	CODE(·spreadAtMostF32)
	CODE(·spreadEqualF32)
	CODE(·spreadUnequalF32)
	CODE(·spreadSelect)
	CODE(·spreadAddCoU32)
	CODE(·spreadAddcCoU32)
	CODE(·spreadSubCoU32)
	CODE(·spreadSubbCoU32)
	CODE(·spreadMadU64U32)
	CODE(·spreadMadI64I32)
	RET
