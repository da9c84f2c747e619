#include "textflag.h"
#include "kernel_amd64.h"

// Kernels of matrix instructions: each eight lanes have one row of A, whose
// entry is at the same place of rows.

#define FUSED(o) VBROADCASTSS (o/8)(DX), Y0; VMOVUPS o(DI), Y1; VFMADD231PS o(SI), Y0, Y1; VMOVUPS Y1, o(DI);
#define WHOLE(o) VPBROADCASTD (o/8)(DX), Y0; VPMULLD o(SI), Y0, Y0; VPADDD o(DI), Y0, Y0; VMOVDQU Y0, o(DI);

#define MATRIX(NAME, STEP) \
TEXT NAME(SB), NOSPLIT, $0-24 \
	MOVQ d+0(FP), DI \
	MOVQ b+8(FP), SI \
	MOVQ rows+16(FP), DX \
	EIGHT(STEP) \
	VZEROUPPER \
	RET

MATRIX(·avxMatrixF32, FUSED)
MATRIX(·avxMatrixI32, WHOLE)
