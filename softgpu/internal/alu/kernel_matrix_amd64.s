#include "textflag.h"
#include "kernel_amd64.h"

// Kernels of matrix instructions. Each eight lanes have one row of A; its entry is at the same index of rows.

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

// Products of Y8 and four columns of b, split by the number in Y15, are added to the sums HIGH and LOW.
#define SPLIT(o, HIGH, LOW) \
	VMULPD o(R10), Y8, Y9 \
	VADDPD Y15, Y9, Y10 \
	VSUBPD Y15, Y10, Y10 \
	VSUBPD Y10, Y9, Y9 \
	VADDPD Y10, HIGH, HIGH \
	VADDPD Y9, LOW, LOW

DATA split<>+0(SB)/8, $0x4278000000000000 // 1.5 * 2^40
GLOBL split<>(SB), RODATA|NOPTR, $8

TEXT ·avxSplitProducts(SB), NOSPLIT, $0-88
	MOVQ high+0(FP), DI
	MOVQ low+8(FP), SI
	MOVQ a_base+16(FP), AX
	MOVQ a_len+24(FP), R8
	MOVQ b_base+40(FP), BX
	MOVQ at_base+64(FP), CX
	VBROADCASTSD split<>(SB), Y15
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7
	XORQ R9, R9

next:
	CMPQ R9, R8
	JGE done
	MOVBLZX (CX)(R9*1), R10
	SHLQ $7, R10
	ADDQ BX, R10
	VBROADCASTSD (AX)(R9*8), Y8
	SPLIT(0, Y0, Y4)
	SPLIT(32, Y1, Y5)
	SPLIT(64, Y2, Y6)
	SPLIT(96, Y3, Y7)
	INCQ R9
	JMP next

done:
	VMOVUPD Y0, 0(DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VMOVUPD Y4, 0(SI)
	VMOVUPD Y5, 32(SI)
	VMOVUPD Y6, 64(SI)
	VMOVUPD Y7, 96(SI)
	VZEROUPPER
	RET
