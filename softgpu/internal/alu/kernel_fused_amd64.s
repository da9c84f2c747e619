#include "textflag.h"
#include "kernel_amd64.h"

// Ops that do what two ops in a row do, and keep in registers what the second needs of the first: see Fused. They load
// and store in the order of the two, since a register that one writes may be an operand of the other.

// Sums of 64 bits. Y1 is -1 where the low words do not go over, so the high words and 1 are added to it.
#define LOWSUM(TERM, o) \
	VMOVDQU o(DX), Y0 \
	VPADDD TERM, Y0, Y2 \
	VPMAXUD Y0, Y2, Y1 \
	VPCMPEQD Y1, Y2, Y1 \
	VMOVDQU Y2, o(DI) \
	VMOVMSKPS Y1, AX \
	SHLQ $8, R8 \
	ORQ AX, R8

#define HIGHSUM(TERM, o) \
	VPADDD TERM, Y1, Y3 \
	VPADDD 256+o(DX), Y3, Y3 \
	VMOVDQU Y3, 256+o(DI)

#define ADDWIDE(o) \
	LOWSUM(o(SI), o) \
	VPADDD Y7, Y1, Y1 \
	HIGHSUM(256+o(SI), o)

#define ADDWIDESPREAD(o) \
	LOWSUM(Y6, o) \
	HIGHSUM(Y7, o)

#define OPADDWIDE(NAME, STEP, FIRST, BEFORE) \
OP(NAME) \
	NEAR(0, DI) \
	FIRST(1, SI) \
	NEAR(2, DX) \
	PLACE(4, R10) \
	XORL R8, R8 \
	VPCMPEQD Y7, Y7, Y7 \
	VPSRLD $31, Y7, Y7 \
	BEFORE \
	LANESDOWN(STEP, low) \
	NOTQ R8 \
	PUTMASK(R8, R10) \
	NEXTOP

#define NOTSPREAD
#define SPREADWIDE \
	VPBROADCASTD (SI), Y6 \
	VPBROADCASTD 4(SI), Y0 \
	VPADDD Y0, Y7, Y7

OPADDWIDE(·fusedAddWide, ADDWIDE, NEAR, NOTSPREAD)
OPADDWIDE(·fusedSpreadAddWide, ADDWIDESPREAD, PLACE, SPREADWIDE)

// The third source of the second is the result of the first, and of the same register.
#define FMATWICE(o) \
	VMOVUPS o(DX), Y0 \
	VMOVUPS o(SI), Y1 \
	VFMADD213PS o(CX), Y1, Y0 \
	VMOVUPS o(R9), Y2 \
	VMOVUPS o(R8), Y1 \
	VFMADD213PS Y0, Y1, Y2 \
	VMOVUPS Y2, o(DI)

OP(·fusedFmaF32)
	NEAR(0, DI)
	NEAR(1, SI)
	NEAR(2, DX)
	NEAR(3, CX)
	NEAR(4, R8)
	NEAR(5, R9)
	LANES(FMATWICE, end)
	NEXTOP

// func fusedCodes(codes *[3]uintptr)
TEXT ·fusedCodes(SB), NOSPLIT, $0-8
	MOVQ codes+0(FP), DI
	LEAQ ·fusedAddWide(SB), AX
	MOVQ AX, 0(DI)
	LEAQ ·fusedSpreadAddWide(SB), AX
	MOVQ AX, 8(DI)
	LEAQ ·fusedFmaF32(SB), AX
	MOVQ AX, 16(DI)
	RET
