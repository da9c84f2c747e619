#include "textflag.h"

// Kernels of atomics.

// func avxReplaceRow(addr uint64, before, after *Lanes, l, lanes int) int
TEXT ·avxReplaceRow(SB), NOSPLIT, $0-48
	MOVQ addr+0(FP), DI
	MOVQ before+8(FP), SI
	MOVQ after+16(FP), R8
	MOVQ l+24(FP), R9
	MOVQ lanes+32(FP), R10
	LEAQ (DI)(R9*4), R11
	CMPQ R9, R10
	JGE replaced
replace:
	LEAQ 4(R9), R12
	TESTQ $15, R11
	JNE replaceone
	CMPQ R12, R10
	JGT replaceone
	MOVQ (SI)(R9*4), AX
	MOVQ 8(SI)(R9*4), DX
	MOVQ (R8)(R9*4), BX
	MOVQ 8(R8)(R9*4), CX
	LOCK
	CMPXCHG16B (R11)
	JNE replaced
	ADDQ $16, R11
	MOVQ R12, R9
	CMPQ R9, R10
	JLT replace
	JMP replaced
replaceone:
	MOVL (SI)(R9*4), AX
	MOVL (R8)(R9*4), BX
	LOCK
	CMPXCHGL BX, (R11)
	JNE replaced
	ADDQ $4, R11
	INCQ R9
	CMPQ R9, R10
	JLT replace
replaced:
	MOVQ R9, ret+40(FP)
	RET

// func avxCopy(d, s *Lanes, lanes int)
TEXT ·avxCopy(SB), NOSPLIT, $0-24
	MOVQ d+0(FP), DI
	MOVQ s+8(FP), SI
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU 64(SI), Y2
	VMOVDQU 96(SI), Y3
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	CMPQ lanes+16(FP), $32
	JEQ copied
	VMOVDQU 128(SI), Y0
	VMOVDQU 160(SI), Y1
	VMOVDQU 192(SI), Y2
	VMOVDQU 224(SI), Y3
	VMOVDQU Y0, 128(DI)
	VMOVDQU Y1, 160(DI)
	VMOVDQU Y2, 192(DI)
	VMOVDQU Y3, 224(DI)
copied:
	VZEROUPPER
	RET

// TOTAL(name, OP) is what the first lanes, 32 or 64, come to together.
#define TOTAL(name, OP) \
TEXT name(SB), NOSPLIT, $0-20 \
	MOVQ data+0(FP), SI \
	VMOVDQU (SI), Y0 \
	VMOVDQU 32(SI), Y1 \
	OP 64(SI), Y0, Y0 \
	OP 96(SI), Y1, Y1 \
	CMPQ lanes+8(FP), $32 \
	JEQ halfway \
	OP 128(SI), Y0, Y0 \
	OP 160(SI), Y1, Y1 \
	OP 192(SI), Y0, Y0 \
	OP 224(SI), Y1, Y1 \
halfway: \
	OP Y1, Y0, Y0 \
	VEXTRACTI128 $1, Y0, X1 \
	OP X1, X0, X0 \
	VPSHUFD $0x4e, X0, X1 \
	OP X1, X0, X0 \
	VPSHUFD $0xb1, X0, X1 \
	OP X1, X0, X0 \
	VMOVD X0, AX \
	MOVL AX, ret+16(FP) \
	VZEROUPPER \
	RET

// EIGHT(o, OP) makes eight lanes' values after each. Y15 has the identity, Y14 the value before the eight.
#define EIGHT(o, OP) \
	VMOVDQU o(SI), Y0 \
	VPALIGNR $12, Y15, Y0, Y1 \
	OP Y1, Y0, Y0 \
	VPALIGNR $8, Y15, Y0, Y1 \
	OP Y1, Y0, Y0 \
	VPERM2I128 $0x20, Y0, Y15, Y1 \
	VPSHUFD $0xff, Y1, Y1 \
	OP Y1, Y0, Y0 \
	VPERMD Y0, Y13, Y2 \
	OP Y14, Y0, Y0 \
	OP Y2, Y14, Y14 \
	VMOVDQU Y0, (o+4)(DI)

// EACH(name, OP) makes the values that each of the first lanes, 32 or 64, finds if a word is was before.
#define EACH(name, OP) \
TEXT name(SB), NOSPLIT, $0-32 \
	MOVQ before+0(FP), DI \
	MOVQ data+8(FP), SI \
	MOVL was+16(FP), AX \
	MOVL AX, (DI) \
	VPBROADCASTD was+16(FP), Y14 \
	VPBROADCASTD identity+20(FP), Y15 \
	VPCMPEQD Y13, Y13, Y13 \
	EIGHT(0, OP) \
	EIGHT(32, OP) \
	EIGHT(64, OP) \
	EIGHT(96, OP) \
	CMPQ lanes+24(FP), $32 \
	JEQ halfway \
	EIGHT(128, OP) \
	EIGHT(160, OP) \
	EIGHT(192, OP) \
	EIGHT(224, OP) \
halfway: \
	VZEROUPPER \
	RET

TOTAL(·totalAdd, VPADDD)
TOTAL(·totalAnd, VPAND)
TOTAL(·totalOr, VPOR)
TOTAL(·totalXor, VPXOR)
TOTAL(·totalUmin, VPMINUD)
TOTAL(·totalUmax, VPMAXUD)
TOTAL(·totalSmin, VPMINSD)
TOTAL(·totalSmax, VPMAXSD)

EACH(·eachAdd, VPADDD)
EACH(·eachAnd, VPAND)
EACH(·eachOr, VPOR)
EACH(·eachXor, VPXOR)
EACH(·eachUmin, VPMINUD)
EACH(·eachUmax, VPMAXUD)
EACH(·eachSmin, VPMINSD)
EACH(·eachSmax, VPMAXSD)
