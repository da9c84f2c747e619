#include "textflag.h"

// Kernels of matrix instructions: each eight lanes have one row of A, whose
// entry is at the same place of rows.

#define FUSED(AT, ROW) \
	VBROADCASTSS ROW(DX), Y0; \
	VMOVUPS      AT(DI), Y1; \
	VFMADD231PS  AT(SI), Y0, Y1; \
	VMOVUPS      Y1, AT(DI)

#define WHOLE(AT, ROW) \
	VPBROADCASTD ROW(DX), Y0; \
	VPMULLD      AT(SI), Y0, Y0; \
	VPADDD       AT(DI), Y0, Y0; \
	VMOVDQU      Y0, AT(DI)

#define OCTETS(STEP) \
	STEP(0, 0); \
	STEP(32, 4); \
	STEP(64, 8); \
	STEP(96, 12); \
	STEP(128, 16); \
	STEP(160, 20); \
	STEP(192, 24); \
	STEP(224, 28)

// func avxMatrixF32(d, b *Lanes, rows *[8]uint32)
TEXT ·avxMatrixF32(SB), NOSPLIT, $0-24
	MOVQ d+0(FP), DI
	MOVQ b+8(FP), SI
	MOVQ rows+16(FP), DX
	OCTETS(FUSED)
	VZEROUPPER
	RET

// func avxMatrixI32(d, b *Lanes, rows *[8]uint32)
TEXT ·avxMatrixI32(SB), NOSPLIT, $0-24
	MOVQ d+0(FP), DI
	MOVQ b+8(FP), SI
	MOVQ rows+16(FP), DX
	OCTETS(WHOLE)
	VZEROUPPER
	RET
