#include "textflag.h"
#include "kernel_amd64.h"

// Whole-wave kernels on singles that are more than one instruction, some of them
// by way of float64.

#define UNARY(NAME, PREPARE, ALL) \
TEXT NAME(SB), NOSPLIT, $0-16 \
	MOVQ d+0(FP), DI \
	MOVQ a+8(FP), SI \
	PREPARE \
	ALL \
	VZEROUPPER \
	RET

DATA singles<>+0(SB)/4, $0x3f800000 // 1
DATA singles<>+4(SB)/4, $0x3f7fffff // the number below 1
DATA singles<>+8(SB)/4, $-400
DATA singles<>+12(SB)/4, $400
GLOBL singles<>(SB), RODATA, $16

DATA one64<>+0(SB)/8, $0x3ff0000000000000
DATA one64<>+8(SB)/8, $1023
GLOBL one64<>(SB), RODATA, $16

#define NOTHING
#define ONES VBROADCASTSS singles<>+0(SB), Y15
#define BELOWONE VBROADCASTSS singles<>+4(SB), Y15
#define DOUBLEONES VBROADCASTSD one64<>+0(SB), Y15

#define NEAREST(o) VROUNDPS $0x8, o(SI), Y0; VMOVUPS Y0, o(DI);
#define FLOOR(o) VROUNDPS $0x9, o(SI), Y0; VMOVUPS Y0, o(DI);
#define CEIL(o) VROUNDPS $0xa, o(SI), Y0; VMOVUPS Y0, o(DI);
#define TRUNC(o) VROUNDPS $0xb, o(SI), Y0; VMOVUPS Y0, o(DI);
#define FRACT(o) VMOVUPS o(SI), Y0; VROUNDPS $0x9, Y0, Y1; VSUBPS Y1, Y0, Y0; VMINPS Y0, Y15, Y0; VMOVUPS Y0, o(DI);
#define RCP(o) VDIVPS o(SI), Y15, Y0; VMOVUPS Y0, o(DI);
#define SQRT(o) VSQRTPS o(SI), Y0; VMOVUPS Y0, o(DI);
#define RSQ(o) VCVTPS2PD o(SI), Y0; VSQRTPD Y0, Y0; VDIVPD Y0, Y15, Y0; VCVTPD2PSY Y0, X0; VMOVUPS X0, o(DI);

UNARY(·avxRndneF32, NOTHING, EIGHT(NEAREST))
UNARY(·avxFloorF32, NOTHING, EIGHT(FLOOR))
UNARY(·avxCeilF32, NOTHING, EIGHT(CEIL))
UNARY(·avxTruncF32, NOTHING, EIGHT(TRUNC))
UNARY(·avxFractF32, BELOWONE, EIGHT(FRACT))
UNARY(·avxRcpF32, ONES, EIGHT(RCP))
UNARY(·avxSqrtF32, NOTHING, EIGHT(SQRT))
UNARY(·avxRsqF32, DOUBLEONES, SIXTEEN(RSQ))

// A power of two times a single is exact in float64.
#define LDEXP(o) \
	VMOVDQU o(DX), X1 \
	VPMAXSD X14, X1, X1 \
	VPMINSD X13, X1, X1 \
	VPMOVSXDQ X1, Y1 \
	VPADDQ Y15, Y1, Y1 \
	VPSLLQ $52, Y1, Y1 \
	VCVTPS2PD o(SI), Y0 \
	VMULPD Y1, Y0, Y0 \
	VCVTPD2PSY Y0, X0 \
	VMOVUPS X0, o(DI)

// func avxLdexpF32(d, a, b *Lanes)
TEXT ·avxLdexpF32(SB), NOSPLIT, $0-24
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	VPBROADCASTQ one64<>+8(SB), Y15
	VPBROADCASTD singles<>+8(SB), X14
	VPBROADCASTD singles<>+12(SB), X13
	SIXTEEN(LDEXP)
	VZEROUPPER
	RET

#define ALTER(o) VPANDN o(DI), Y0, Y2; VPXOR Y1, Y2, Y2; VMOVDQU Y2, o(DI);

// func avxAlterBits(l *Lanes, clear, flip uint32)
TEXT ·avxAlterBits(SB), NOSPLIT, $0-16
	MOVQ l+0(FP), DI
	MOVL clear+8(FP), AX
	MOVL flip+12(FP), BX
	VMOVD AX, X0
	VMOVD BX, X1
	VPBROADCASTD X0, Y0
	VPBROADCASTD X1, Y1
	EIGHT(ALTER)
	VZEROUPPER
	RET

DATA flush<>+0(SB)/4, $0x7f800000
DATA flush<>+4(SB)/4, $0x7fffffff
GLOBL flush<>(SB), RODATA, $8

#define FLUSHEXPONENTS VBROADCASTSS flush<>+0(SB), Y15; VBROADCASTSS flush<>+4(SB), Y14; VPXOR Y13, Y13, Y13;
#define FLUSH(o) \
	VMOVUPS o(SI), Y0 \
	VPAND Y15, Y0, Y1 \
	VPCMPEQD Y13, Y1, Y1 \
	VPAND Y14, Y1, Y1 \
	VPANDN Y0, Y1, Y0 \
	VMOVUPS Y0, o(DI)

UNARY(·avxFlushF32, FLUSHEXPONENTS, EIGHT(FLUSH))

// Divisions that need no scaling: see plainDivision, and divisionLimits for what is at
// AX. The sign bit of Y7 says that a difference of exponents is out of its range.
#define EXPONENTS(o) \
	VMOVDQU o(SI), Y0 \
	VMOVDQU o(DX), Y1 \
	VPSLLD $1, Y0, Y2 \
	VPSLLD $1, Y1, Y3 \
	VPSRLD X8, Y2, Y2 \
	VPSRLD X8, Y3, Y3

#define PLAINDIV(o) \
	EXPONENTS(o) \
	VPSUBD Y15, Y2, Y4 \
	VPSUBD Y2, Y14, Y5 \
	VPOR Y4, Y7, Y7 \
	VPOR Y5, Y7, Y7 \
	VPSUBD Y13, Y3, Y4 \
	VPSUBD Y3, Y12, Y5 \
	VPOR Y4, Y7, Y7 \
	VPOR Y5, Y7, Y7 \
	VPSUBD Y3, Y2, Y4 \
	VPSUBD Y4, Y10, Y5 \
	VPADDD Y11, Y4, Y4 \
	VPOR Y4, Y7, Y7 \
	VPOR Y5, Y7, Y7

// func avxPlainDivision(n, d *Lanes, limits *divisionLimits) bool
TEXT ·avxPlainDivision(SB), NOSPLIT, $0-25
	MOVQ n+0(FP), SI
	MOVQ d+8(FP), DX
	MOVQ limits+16(FP), AX
	VMOVD 32(AX), X8
	VPBROADCASTD 0(AX), Y15
	VPBROADCASTD 4(AX), Y14
	VPBROADCASTD 8(AX), Y13
	VPBROADCASTD 12(AX), Y12
	VPBROADCASTD 16(AX), Y11
	VPBROADCASTD 20(AX), Y10
	VPXOR Y7, Y7, Y7
	EIGHT(PLAINDIV)
	VMOVMSKPS Y7, AX
	TESTL AX, AX
	SETEQ ret+24(FP)
	VZEROUPPER
	RET

#define PLAINFIX(o) \
	EXPONENTS(o) \
	VMOVDQU o(CX), Y6 \
	VPSUBD Y13, Y2, Y4 \
	VPSUBD Y2, Y14, Y5 \
	VPOR Y4, Y7, Y7 \
	VPOR Y5, Y7, Y7 \
	VPSUBD Y13, Y3, Y4 \
	VPSUBD Y3, Y14, Y5 \
	VPOR Y4, Y7, Y7 \
	VPOR Y5, Y7, Y7 \
	VPSUBD Y3, Y2, Y4 \
	VPADDD Y12, Y4, Y4 \
	VPOR Y4, Y7, Y7 \
	VPSLLD $1, Y6, Y5 \
	VPSRLD $1, Y5, Y5 \
	VPSUBD Y5, Y11, Y4 \
	VPOR Y4, Y7, Y7

#define SIGNED(o) \
	VMOVDQU o(SI), Y0 \
	VPXOR o(DX), Y0, Y0 \
	VPAND Y10, Y0, Y0 \
	VPANDN o(CX), Y10, Y1 \
	VPOR Y0, Y1, Y0 \
	VMOVDQU Y0, o(DI)

// func avxFixupPlain(to, q, d, n *Lanes, limits *divisionLimits) bool
TEXT ·avxFixupPlain(SB), NOSPLIT, $0-41
	MOVQ to+0(FP), DI
	MOVQ q+8(FP), CX
	MOVQ d+16(FP), DX
	MOVQ n+24(FP), SI
	MOVQ limits+32(FP), AX
	VMOVD 32(AX), X8
	VPBROADCASTD 4(AX), Y14
	VPBROADCASTD 8(AX), Y13
	VPBROADCASTD 24(AX), Y12
	VPBROADCASTD 28(AX), Y11
	VPCMPEQD Y10, Y10, Y10
	VPSLLD $31, Y10, Y10
	VPXOR Y7, Y7, Y7
	EIGHT(PLAINFIX)
	VMOVMSKPS Y7, AX
	TESTL AX, AX
	SETEQ ret+40(FP)
	JEQ fixed
	VZEROUPPER
	RET
fixed:
	EIGHT(SIGNED)
	VZEROUPPER
	RET

// 2**x: an integer part, which becomes the exponent, and a rest of at most a
// half, for which a polynomial of degree 13 is good to the last bits of float64.
DATA exp2<>+0x00(SB)/8, $0x3ff0000000000000
DATA exp2<>+0x08(SB)/8, $0x3fe62e42fefa39ef
DATA exp2<>+0x10(SB)/8, $0x3fcebfbdff82c58f
DATA exp2<>+0x18(SB)/8, $0x3fac6b08d704a0c0
DATA exp2<>+0x20(SB)/8, $0x3f83b2ab6fba4e77
DATA exp2<>+0x28(SB)/8, $0x3f55d87fe78a6731
DATA exp2<>+0x30(SB)/8, $0x3f2430912f86c787
DATA exp2<>+0x38(SB)/8, $0x3eeffcbfc588b0c7
DATA exp2<>+0x40(SB)/8, $0x3eb62c0223a5c824
DATA exp2<>+0x48(SB)/8, $0x3e7b5253d395e7c4
DATA exp2<>+0x50(SB)/8, $0x3e3e4cf5158b8eca
DATA exp2<>+0x58(SB)/8, $0x3dfe8cac7351bb25
DATA exp2<>+0x60(SB)/8, $0x3dbc3bd650fc2986
DATA exp2<>+0x68(SB)/8, $0x3d7816193166d0f9
GLOBL exp2<>(SB), RODATA, $0x70

DATA exp2range<>+0(SB)/4, $0xc3200000 // -160
DATA exp2range<>+4(SB)/4, $0x43200000 // 160
GLOBL exp2range<>(SB), RODATA, $8

#define TERM(at) VBROADCASTSD exp2<>+at(SB), Y4; VFMADD213PD Y4, Y1, Y3;

#define EXP(o) \
	VMOVUPS o(SI), X0 \
	VMINPS X0, X12, X1 \
	VMAXPS X1, X13, X1 \
	VROUNDPS $0x8, X1, X2 \
	VSUBPS X2, X1, X1 \
	VCVTPS2PD X1, Y1 \
	VCVTPS2DQ X2, X2 \
	VPMOVSXDQ X2, Y2 \
	VPADDQ Y15, Y2, Y2 \
	VPSLLQ $52, Y2, Y2 \
	VMOVAPD Y14, Y3 \
	VFMADD213PD Y11, Y1, Y3 \
	VFMADD213PD Y10, Y1, Y3 \
	VFMADD213PD Y9, Y1, Y3 \
	VFMADD213PD Y8, Y1, Y3 \
	VFMADD213PD Y7, Y1, Y3 \
	VFMADD213PD Y6, Y1, Y3 \
	VFMADD213PD Y5, Y1, Y3 \
	TERM(0x28) \
	TERM(0x20) \
	TERM(0x18) \
	TERM(0x10) \
	TERM(0x08) \
	TERM(0x00) \
	VMULPD Y2, Y3, Y3 \
	VCVTPD2PSY Y3, X3 \
	VCMPPS $3, X0, X0, X4 \
	VADDPS X0, X0, X2 \
	VBLENDVPS X4, X2, X3, X3 \
	VMOVUPS X3, o(DI)

// func avxExpF32(d, a *Lanes)
TEXT ·avxExpF32(SB), NOSPLIT, $0-16
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	VPBROADCASTQ one64<>+8(SB), Y15
	VBROADCASTSD exp2<>+0x68(SB), Y14
	VBROADCASTSS exp2range<>+0(SB), X13
	VBROADCASTSS exp2range<>+4(SB), X12
	VBROADCASTSD exp2<>+0x60(SB), Y11
	VBROADCASTSD exp2<>+0x58(SB), Y10
	VBROADCASTSD exp2<>+0x50(SB), Y9
	VBROADCASTSD exp2<>+0x48(SB), Y8
	VBROADCASTSD exp2<>+0x40(SB), Y7
	VBROADCASTSD exp2<>+0x38(SB), Y6
	VBROADCASTSD exp2<>+0x30(SB), Y5
	SIXTEEN(EXP)
	VZEROUPPER
	RET
