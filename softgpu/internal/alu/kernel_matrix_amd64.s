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

DATA sums<>+0(SB)/8, $0x4278000000000000 // 1.5 * 2^40
DATA sums<>+8(SB)/8, $1
DATA sums<>+16(SB)/8, $0x7ff8000000000000
DATA sums<>+24(SB)/8, $0x7fffffffffffffff
DATA sums<>+32(SB)/8, $0x000000001fffffff // cutForSingle
DATA sums<>+40(SB)/8, $0x3810000000000000 // leastNormal
DATA sums<>+48(SB)/8, $0x380fe00000000000 // tieBelowNormal
DATA sums<>+56(SB)/8, $0x7f8000007fffffff
GLOBL sums<>(SB), RODATA|NOPTR, $64

TEXT ·avxSplitProducts(SB), NOSPLIT, $0-88
	MOVQ high+0(FP), DI
	MOVQ low+8(FP), SI
	MOVQ a_base+16(FP), AX
	MOVQ a_len+24(FP), R8
	MOVQ b_base+40(FP), BX
	MOVQ at_base+64(FP), CX
	VBROADCASTSD sums<>+0(SB), Y15
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

// TWOSUM adds A and B: S is the sum, REST its rounding error.
#define TWOSUM(A, B, S, T, REST) \
	VADDPD B, A, S \
	VSUBPD A, S, T \
	VSUBPD T, S, REST \
	VSUBPD REST, A, REST \
	VSUBPD T, B, T \
	VADDPD T, REST, REST

// TOODD rounds S and the REST of the sum to odd. Y14 has zeros, Y15 integers of 1.
#define TOODD(S, REST, T, U) \
	VXORPD S, REST, T \
	VPSRLQ $63, T, T \
	VPSUBQ T, S, T \
	VPOR Y15, T, T \
	VCMPPD $4, Y14, REST, U \
	VBLENDVPD U, T, S, S

#define ADDSPLIT(o) \
	VMOVUPD o(SI), Y0 \
	VMOVUPD o(DX), Y1 \
	VCVTPS2PD (o/2)(CX), Y2 \
	VADDPD Y2, Y0, Y3 \
	VSUBPD Y3, Y3, Y4 \
	VCMPPD $0, Y14, Y4, Y4 \
	TWOSUM(Y0, Y1, Y5, Y6, Y7) \
	TWOSUM(Y5, Y2, Y8, Y6, Y9) \
	TWOSUM(Y7, Y9, Y10, Y6, Y11) \
	TOODD(Y10, Y11, Y6, Y12) \
	TWOSUM(Y8, Y10, Y5, Y6, Y7) \
	TOODD(Y5, Y7, Y6, Y12) \
	VBLENDVPD Y4, Y5, Y3, Y5 \
	VMOVUPD Y5, o(DI) \
	VCMPPD $0, Y14, Y5, Y6 \
	VANDPD Y2, Y6, Y6 \
	VMOVMSKPD Y6, R8 \
	SHLL $(o/8), R8 \
	ORL R8, AX

TEXT ·avxAddSplit(SB), NOSPLIT, $0-36
	MOVQ sum+0(FP), DI
	MOVQ high+8(FP), SI
	MOVQ low+16(FP), DX
	MOVQ c+24(FP), CX
	VXORPD Y14, Y14, Y14
	VPBROADCASTQ sums<>+8(SB), Y15
	XORL AX, AX
	ADDSPLIT(0)
	ADDSPLIT(32)
	ADDSPLIT(64)
	ADDSPLIT(96)
	MOVL AX, zeros+32(FP)
	VZEROUPPER
	RET

// ADDPRODUCT adds a product to SUM, the rounding error to REST, and the absolute value of what that loses to LOST. Y13 has
// the bits of such values.
#define ADDPRODUCT(o, SUM, REST, LOST) \
	VMULPD o(R10), Y6, Y7 \
	TWOSUM(SUM, Y7, Y8, Y9, Y10) \
	VMOVAPD Y8, SUM \
	TWOSUM(REST, Y10, Y8, Y9, Y7) \
	VMOVAPD Y8, REST \
	VANDPD Y13, Y7, Y7 \
	VADDPD Y7, LOST, LOST

// SUMMED joins SUM and REST, and puts the columns where LOST may matter into the register OF. Sums that are not finite
// are right without REST.
#define SUMMED(o, SUM, REST, LOST, OF) \
	VSUBPD SUM, SUM, Y8 \
	VCMPPD $0, Y14, Y8, Y8 \
	TWOSUM(SUM, REST, Y10, Y11, Y12) \
	VANDPD Y13, Y12, Y9 \
	VADDPD LOST, LOST, Y11 \
	VCMPPD $0x0d, Y9, Y11, Y9 \
	VCMPPD $4, Y14, LOST, Y11 \
	VANDPD Y11, Y9, Y9 \
	VANDPD Y8, Y9, Y9 \
	VMOVMSKPD Y9, OF \
	TOODD(Y10, Y12, Y11, Y9) \
	VCMPPD $4, Y14, REST, Y9 \
	VANDPD Y8, Y9, Y9 \
	VBLENDVPD Y9, Y10, SUM, SUM \
	VMOVUPD SUM, o(DI)

TEXT ·avxAddProducts(SB), NOSPLIT, $0-92
	MOVQ sum+0(FP), DI
	MOVQ c+8(FP), DX
	MOVQ a_base+16(FP), AX
	MOVQ a_len+24(FP), R8
	MOVQ b_base+40(FP), BX
	MOVQ at_base+64(FP), SI
	VXORPD Y14, Y14, Y14
	VPBROADCASTQ sums<>+8(SB), Y15
	VBROADCASTSD sums<>+24(SB), Y13
	XORL R11, R11
	XORL CX, CX

columns: // CX and the seven after it
	VCVTPS2PD 0(DX), Y0
	VCVTPS2PD 16(DX), Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	XORQ R9, R9

product:
	CMPQ R9, R8
	JGE summed
	MOVBLZX (SI)(R9*1), R10
	SHLQ $7, R10
	ADDQ BX, R10
	VBROADCASTSD (AX)(R9*8), Y6
	ADDPRODUCT(0, Y0, Y2, Y4)
	ADDPRODUCT(32, Y1, Y3, Y5)
	INCQ R9
	JMP product

summed:
	SUMMED(0, Y0, Y2, Y4, R12)
	SUMMED(32, Y1, Y3, Y5, R13)
	SHLL $4, R13
	ORL R13, R12
	SHLL CX, R12
	ORL R12, R11
	ADDQ $64, DI
	ADDQ $32, DX
	ADDQ $64, BX
	ADDL $8, CX
	CMPL CX, $16
	JLT columns
	MOVL R11, unknown+88(FP)
	VZEROUPPER
	RET

// NUMBERS loads four doubles; their NaNs become Y15's.
#define NUMBERS(o) \
	VMOVUPD o(SI), Y0 \
	VCMPPD $3, Y0, Y0, Y1 \
	VBLENDVPD Y1, Y15, Y0, Y0

#define NEAREST(o) \
	NUMBERS(o) \
	VCVTPD2PSY Y0, X0 \
	VPAND X14, X0, X1 \
	VPCMPEQD X12, X1, X1 \
	VPAND X13, X1, X1 \
	VPANDN X0, X1, X0 \
	VMOVDQU X0, (o/2)(DI)

TEXT ·avxNearestSingles(SB), NOSPLIT, $0-16
	MOVQ d+0(FP), DI
	MOVQ x+8(FP), SI
	VBROADCASTSD sums<>+16(SB), Y15
	VPBROADCASTD sums<>+60(SB), X14
	VPBROADCASTD sums<>+56(SB), X13
	VPXOR X12, X12, X12
	NEAREST(0)
	NEAREST(32)
	NEAREST(64)
	NEAREST(96)
	VZEROUPPER
	RET

#define ODD(o) \
	NUMBERS(o) \
	VANDPD Y14, Y0, Y1 \
	VXORPD Y1, Y0, Y2 \
	VCMPPD $1, Y12, Y1, Y3 \
	VCMPPD $0x0d, Y11, Y1, Y4 \
	VANDPD Y12, Y4, Y4 \
	VBLENDVPD Y3, Y4, Y1, Y1 \
	VPAND Y13, Y1, Y5 \
	VPADDQ Y13, Y5, Y5 \
	VPOR Y5, Y1, Y1 \
	VPANDN Y1, Y13, Y1 \
	VPOR Y2, Y1, Y1 \
	VCVTPD2PSY Y1, X1 \
	VMOVDQU X1, (o/2)(DI)

TEXT ·avxOddSingles(SB), NOSPLIT, $0-16
	MOVQ d+0(FP), DI
	MOVQ x+8(FP), SI
	VBROADCASTSD sums<>+16(SB), Y15
	VBROADCASTSD sums<>+24(SB), Y14
	VPBROADCASTQ sums<>+32(SB), Y13
	VBROADCASTSD sums<>+40(SB), Y12
	VBROADCASTSD sums<>+48(SB), Y11
	ODD(0)
	ODD(32)
	ODD(64)
	ODD(96)
	VZEROUPPER
	RET
