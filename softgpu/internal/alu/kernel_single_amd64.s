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

UNARY(·avxRndneF32, NOTHING, EIGHT(NEAREST))
UNARY(·avxFloorF32, NOTHING, EIGHT(FLOOR))
UNARY(·avxCeilF32, NOTHING, EIGHT(CEIL))
UNARY(·avxTruncF32, NOTHING, EIGHT(TRUNC))
UNARY(·avxFractF32, BELOWONE, EIGHT(FRACT))
UNARY(·avxRcpF32, ONES, EIGHT(RCP))
UNARY(·avxSqrtF32, NOTHING, EIGHT(SQRT))

// 1/sqrt(x) by way of float64. From the processor's approximation y, which is off by at most 1.5 * 2**-12, one step of a
// series in h = 1 - x*y*y gets within 2**-52.5 of it, and no such number is within 2**-51.8 of the middle of two singles.
// Sources that are not normal and positive take a root and a quotient.
DATA rsq<>+0x00(SB)/8, $0x3fe0000000000000 // 1/2
DATA rsq<>+0x08(SB)/8, $0x3fd8000000000000 // 3/8
DATA rsq<>+0x10(SB)/8, $0x3fd4000000000000 // 5/16
DATA rsq<>+0x18(SB)/8, $0x3fd1800000000000 // 35/128
DATA rsq<>+0x20(SB)/4, $0x00800000
DATA rsq<>+0x24(SB)/4, $0x7f7fffff
GLOBL rsq<>(SB), RODATA, $0x28

// The sign bit of Y7 says that a number is out of the range.
#define ROOTABLE(o) \
	VMOVDQU o(SI), Y0 \
	VPSUBD Y14, Y0, Y1 \
	VPSUBD Y0, Y13, Y0 \
	VPOR Y0, Y7, Y7 \
	VPOR Y1, Y7, Y7

// X and Y are four lanes of x and of y.
#define ROOT(XS, YS, Y, X) \
	VMULPD YS, XS, XS \
	VFNMADD213PD Y15, YS, XS \
	VMOVAPD Y11, Y \
	VFMADD213PD Y12, XS, Y \
	VFMADD213PD Y13, XS, Y \
	VFMADD213PD Y14, XS, Y \
	VMULPD YS, XS, XS \
	VFMADD213PD YS, XS, Y \
	VCVTPD2PSY Y, X

#define RSQ(o) \
	VRSQRTPS o(SI), Y3 \
	VCVTPS2PD o(SI), Y2 \
	VCVTPS2PD o+16(SI), Y0 \
	VCVTPS2PD X3, Y1 \
	VEXTRACTF128 $1, Y3, X3 \
	VCVTPS2PD X3, Y3 \
	ROOT(Y2, Y1, Y4, X4) \
	ROOT(Y0, Y3, Y5, X5) \
	VMOVUPS X4, o(DI) \
	VMOVUPS X5, o+16(DI)

#define PLAINRSQ(o) VCVTPS2PD o(SI), Y0; VSQRTPD Y0, Y0; VDIVPD Y0, Y15, Y0; VCVTPD2PSY Y0, X0; VMOVUPS X0, o(DI);

// func avxRsqF32(d, a *Lanes)
TEXT ·avxRsqF32(SB), NOSPLIT, $0-16
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	DOUBLEONES
	VPBROADCASTD rsq<>+0x20(SB), Y14
	VPBROADCASTD rsq<>+0x24(SB), Y13
	VPXOR Y7, Y7, Y7
	EIGHT(ROOTABLE)
	VMOVMSKPS Y7, AX
	TESTL AX, AX
	JNE others
	VBROADCASTSD rsq<>+0x00(SB), Y14
	VBROADCASTSD rsq<>+0x08(SB), Y13
	VBROADCASTSD rsq<>+0x10(SB), Y12
	VBROADCASTSD rsq<>+0x18(SB), Y11
	EIGHT(RSQ)
	VZEROUPPER
	RET
others:
	SIXTEEN(PLAINRSQ)
	VZEROUPPER
	RET

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

// 2**x: a multiple of 1/8, which becomes an exponent and one of eight roots, and a rest of at most 1/16,
// for which a polynomial of degree 7 is good to the last bits of float64. The roots are here as low words
// and as high ones; adding eighths to the latter, shifted, must leave the exponent alone.
DATA exp2<>+0x00(SB)/4, $0x00000000
DATA exp2<>+0x04(SB)/4, $0x3c7d517b
DATA exp2<>+0x08(SB)/4, $0x0a31b715
DATA exp2<>+0x0c(SB)/4, $0xd5362a27
DATA exp2<>+0x10(SB)/4, $0x667f3bcd
DATA exp2<>+0x14(SB)/4, $0x422aa0db
DATA exp2<>+0x18(SB)/4, $0x995ad3ad
DATA exp2<>+0x1c(SB)/4, $0xdcfba487
DATA exp2<>+0x20(SB)/4, $0x3ff00000
DATA exp2<>+0x24(SB)/4, $0x3fef72b8
DATA exp2<>+0x28(SB)/4, $0x3fef06fe
DATA exp2<>+0x2c(SB)/4, $0x3feebfda
DATA exp2<>+0x30(SB)/4, $0x3feea09e
DATA exp2<>+0x34(SB)/4, $0x3feeace5
DATA exp2<>+0x38(SB)/4, $0x3feee89f
DATA exp2<>+0x3c(SB)/4, $0x3fef5818
DATA exp2<>+0x40(SB)/8, $0x3fe62e42fefa39ef
DATA exp2<>+0x48(SB)/8, $0x3fe62e42fefa39ef
DATA exp2<>+0x50(SB)/8, $0x3fe62e42fefa39ef
DATA exp2<>+0x58(SB)/8, $0x3fe62e42fefa39ef
DATA exp2<>+0x60(SB)/8, $0x3fcebfbdff82c6c5
DATA exp2<>+0x68(SB)/8, $0x3fcebfbdff82c6c5
DATA exp2<>+0x70(SB)/8, $0x3fcebfbdff82c6c5
DATA exp2<>+0x78(SB)/8, $0x3fcebfbdff82c6c5
DATA exp2<>+0x80(SB)/8, $0x3fac6b08d704a11f
DATA exp2<>+0x88(SB)/8, $0x3f83b2ab6f1f1910
DATA exp2<>+0x90(SB)/8, $0x3f55d87fe72ac65e
DATA exp2<>+0x98(SB)/8, $0x3f2430deca12d584
DATA exp2<>+0xa0(SB)/8, $0x3eeffd1f6633bd3a
GLOBL exp2<>(SB), RODATA, $0xa8

DATA exp2range<>+0(SB)/4, $0xc3200000 // -160
DATA exp2range<>+4(SB)/4, $0x43200000 // 160
DATA exp2range<>+8(SB)/4, $0x49c00000 // 1.5 * 2**20: adding it leaves eighths in the lowest bits
GLOBL exp2range<>(SB), RODATA, $12

// ROOT times two to the power of R, in X: R and ROOT have four lanes.
#define POWER(R, ROOT, Y, X) \
	VMOVAPD Y10, Y \
	VFMADD213PD Y9, R, Y \
	VFMADD213PD Y8, R, Y \
	VFMADD213PD Y7, R, Y \
	VFMADD213PD Y6, R, Y \
	VFMADD213PD exp2<>+0x60(SB), R, Y \
	VFMADD213PD exp2<>+0x40(SB), R, Y \
	VMULPD R, Y, Y \
	VFMADD213PD ROOT, ROOT, Y \
	VCVTPD2PSY Y, X

#define EXP(o) \
	VMOVUPS o(SI), Y0 \
	VMINPS Y0, Y14, Y1 \
	VMAXPS Y1, Y15, Y1 \
	VADDPS Y13, Y1, Y2 \
	VSUBPS Y13, Y2, Y3 \
	VSUBPS Y3, Y1, Y1 \
	VPERMQ $0xd8, Y2, Y2 \
	VPERMD Y12, Y2, Y3 \
	VPERMD Y11, Y2, Y4 \
	VPSLLD $17, Y2, Y2 \
	VPADDD Y2, Y4, Y4 \
	VPUNPCKLDQ Y4, Y3, Y2 \
	VPUNPCKHDQ Y4, Y3, Y3 \
	VCVTPS2PD X1, Y4 \
	VEXTRACTF128 $1, Y1, X1 \
	VCVTPS2PD X1, Y1 \
	POWER(Y4, Y2, Y5, X5) \
	POWER(Y1, Y3, Y0, X0) \
	VINSERTF128 $1, X0, Y5, Y5 \
	VMOVUPS o(SI), Y0 \
	VCMPPS $3, Y0, Y0, Y4 \
	VADDPS Y0, Y0, Y1 \
	VBLENDVPS Y4, Y1, Y5, Y5 \
	VMOVUPS Y5, o(DI)

// func avxExpF32(d, a *Lanes)
TEXT ·avxExpF32(SB), NOSPLIT, $0-16
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	VBROADCASTSS exp2range<>+0(SB), Y15
	VBROADCASTSS exp2range<>+4(SB), Y14
	VBROADCASTSS exp2range<>+8(SB), Y13
	VMOVDQU exp2<>+0x00(SB), Y12
	VMOVDQU exp2<>+0x20(SB), Y11
	VBROADCASTSD exp2<>+0xa0(SB), Y10
	VBROADCASTSD exp2<>+0x98(SB), Y9
	VBROADCASTSD exp2<>+0x90(SB), Y8
	VBROADCASTSD exp2<>+0x88(SB), Y7
	VBROADCASTSD exp2<>+0x80(SB), Y6
	EIGHT(EXP)
	VZEROUPPER
	RET
