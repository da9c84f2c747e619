#include "textflag.h"

// Whole-wave kernels on 64-bit operands, whose low and high words are in
// registers of their own, and on singles that need float64 on the way.

DATA wide32<>+0(SB)/4, $63
DATA wide32<>+4(SB)/4, $32
DATA wide32<>+8(SB)/4, $31
GLOBL wide32<>(SB), RODATA, $12

#define OCTETS(STEP) \
	STEP(0) \
	STEP(32) \
	STEP(64) \
	STEP(96) \
	STEP(128) \
	STEP(160) \
	STEP(192) \
	STEP(224)

#define OCTETSDOWN(STEP) \
	STEP(224) \
	STEP(192) \
	STEP(160) \
	STEP(128) \
	STEP(96) \
	STEP(64) \
	STEP(32) \
	STEP(0)

#define QUARTETS(STEP) \
	STEP(0) \
	STEP(16) \
	STEP(32) \
	STEP(48) \
	STEP(64) \
	STEP(80) \
	STEP(96) \
	STEP(112) \
	STEP(128) \
	STEP(144) \
	STEP(160) \
	STEP(176) \
	STEP(192) \
	STEP(208) \
	STEP(224) \
	STEP(240)

// SHIFTWIDE has the count in R8, the number in R9 and R10. Shifts of words by 32
// or more, negative counts among them, give 0.
#define SHIFTWIDE(NAME, STEP) \
TEXT NAME(SB), NOSPLIT, $0-64 \
	MOVQ dl+0(FP), DI \
	MOVQ dh+8(FP), SI \
	MOVQ al+16(FP), R8 \
	MOVQ bl+32(FP), R9 \
	MOVQ bh+40(FP), R10 \
	VPBROADCASTD wide32<>+0(SB), Y15 \
	VPBROADCASTD wide32<>+4(SB), Y14 \
	VPBROADCASTD wide32<>+8(SB), Y13 \
	OCTETS(STEP) \
	VZEROUPPER \
	RET

#define COUNTS(o) \
	VPAND o(R8), Y15, Y0 \
	VMOVDQU o(R9), Y1 \
	VMOVDQU o(R10), Y2 \
	VPSUBD Y0, Y14, Y3 \
	VPSUBD Y14, Y0, Y4

#define LSHL64(o) \
	COUNTS(o) \
	VPSLLVD Y0, Y2, Y5 \
	VPSRLVD Y3, Y1, Y6 \
	VPSLLVD Y4, Y1, Y7 \
	VPSLLVD Y0, Y1, Y1 \
	VPOR Y5, Y6, Y6 \
	VPOR Y7, Y6, Y6 \
	VMOVDQU Y1, o(DI) \
	VMOVDQU Y6, o(SI)

#define LSHR64(o) \
	COUNTS(o) \
	VPSRLVD Y0, Y1, Y5 \
	VPSLLVD Y3, Y2, Y6 \
	VPSRLVD Y4, Y2, Y7 \
	VPSRLVD Y0, Y2, Y2 \
	VPOR Y5, Y6, Y6 \
	VPOR Y7, Y6, Y6 \
	VMOVDQU Y6, o(DI) \
	VMOVDQU Y2, o(SI)

#define ASHR64(o) \
	COUNTS(o) \
	VPSRLVD Y0, Y1, Y5 \
	VPSLLVD Y3, Y2, Y6 \
	VPSRAVD Y4, Y2, Y7 \
	VPSRAVD Y0, Y2, Y2 \
	VPOR Y5, Y6, Y6 \
	VPCMPGTD Y13, Y0, Y8 \
	VPBLENDVB Y8, Y7, Y6, Y6 \
	VMOVDQU Y6, o(DI) \
	VMOVDQU Y2, o(SI)

SHIFTWIDE(·avxLshlrevB64, LSHL64)
SHIFTWIDE(·avxLshrrevB64, LSHR64)
SHIFTWIDE(·avxAshrrevI64, ASHR64)

// DOUBLES turns low words in L and high words in H to float64: lanes 0, 1, 4, 5
// in P, 2, 3, 6, 7 in Q. WORDS takes P and Q apart again.
#define DOUBLES(L, H, P, Q) \
	VUNPCKLPS H, L, P \
	VUNPCKHPS H, L, Q

#define WORDS(P, Q, o) \
	VSHUFPS $0x88, Q, P, Y14 \
	VSHUFPS $0xdd, Q, P, Y15 \
	VMOVUPS Y14, o(DI) \
	VMOVUPS Y15, o(SI)

#define TERMS(o) \
	VMOVUPS o(R8), Y0 \
	VMOVUPS o(R9), Y1 \
	DOUBLES(Y0, Y1, Y2, Y3) \
	VMOVUPS o(R10), Y4 \
	VMOVUPS o(R11), Y5 \
	DOUBLES(Y4, Y5, Y6, Y7)

#define ADDD(o) TERMS(o); VADDPD Y6, Y2, Y2; VADDPD Y7, Y3, Y3; WORDS(Y2, Y3, o)
#define MULD(o) TERMS(o); VMULPD Y6, Y2, Y2; VMULPD Y7, Y3, Y3; WORDS(Y2, Y3, o)
#define FMAD(o) \
	TERMS(o) \
	VMOVUPS o(R12), Y8 \
	VMOVUPS o(R13), Y9 \
	DOUBLES(Y8, Y9, Y10, Y11) \
	VFMADD213PD Y10, Y6, Y2 \
	VFMADD213PD Y11, Y7, Y3 \
	WORDS(Y2, Y3, o)

#define DOUBLE(NAME, STEP) \
TEXT NAME(SB), NOSPLIT, $0-64 \
	MOVQ dl+0(FP), DI \
	MOVQ dh+8(FP), SI \
	MOVQ al+16(FP), R8 \
	MOVQ ah+24(FP), R9 \
	MOVQ bl+32(FP), R10 \
	MOVQ bh+40(FP), R11 \
	MOVQ cl+48(FP), R12 \
	MOVQ ch+56(FP), R13 \
	OCTETS(STEP) \
	VZEROUPPER \
	RET

DOUBLE(·avxAddF64, ADDD)
DOUBLE(·avxMulF64, MULD)
DOUBLE(·avxFmaF64, FMAD)

// TESTWIDE compares a with b and returns a bit for each lane.
#define TESTWIDE(NAME, STEP) \
TEXT NAME(SB), NOSPLIT, $0-40 \
	MOVQ al+0(FP), R8 \
	MOVQ ah+8(FP), R9 \
	MOVQ bl+16(FP), R10 \
	MOVQ bh+24(FP), R11 \
	XORQ DX, DX \
	VPCMPEQD Y15, Y15, Y15 \
	VPSLLD $31, Y15, Y15 \
	OCTETSDOWN(STEP) \
	MOVQ DX, m+32(FP) \
	VZEROUPPER \
	RET

#define LANEBITS VMOVMSKPS Y2, AX; SHLQ $8, DX; ORQ AX, DX;

#define EQ64(o) \
	VMOVDQU o(R8), Y0 \
	VPCMPEQD o(R10), Y0, Y0 \
	VMOVDQU o(R9), Y1 \
	VPCMPEQD o(R11), Y1, Y1 \
	VPAND Y0, Y1, Y2 \
	LANEBITS

// ORDERWIDE has high words in Y4 and Y5.
#define ORDERWIDE(o) \
	VPXOR o(R8), Y15, Y0 \
	VPXOR o(R10), Y15, Y1 \
	VPCMPGTD Y0, Y1, Y3 \
	VPCMPEQD Y4, Y5, Y6 \
	VPCMPGTD Y4, Y5, Y7 \
	VPAND Y3, Y6, Y6 \
	VPOR Y6, Y7, Y2 \
	LANEBITS

#define LTU64(o) VPXOR o(R9), Y15, Y4; VPXOR o(R11), Y15, Y5; ORDERWIDE(o)
#define LTI64(o) VMOVDQU o(R9), Y4; VMOVDQU o(R11), Y5; ORDERWIDE(o)

#define CMPD(o, HOW) \
	TERMS(o) \
	VCMPPD HOW, Y6, Y2, Y2 \
	VCMPPD HOW, Y7, Y3, Y3 \
	VSHUFPS $0x88, Y3, Y2, Y2 \
	LANEBITS

#define LTD(o) CMPD(o, $0x11)
#define LED(o) CMPD(o, $0x12)
#define EQD(o) CMPD(o, $0x00)
#define NED(o) CMPD(o, $0x0c)
#define ORDD(o) CMPD(o, $0x07)

TESTWIDE(·avxEqual64, EQ64)
TESTWIDE(·avxLessU64, LTU64)
TESTWIDE(·avxLessI64, LTI64)
TESTWIDE(·avxLessF64, LTD)
TESTWIDE(·avxAtMostF64, LED)
TESTWIDE(·avxEqualF64, EQD)
TESTWIDE(·avxUnequalF64, NED)
TESTWIDE(·avxOrderedF64, ORDD)

// MADWIDE has the factors in Y0 and Y1. The products of the even lanes come from
// MUL as they are, those of the odd ones after a shift. Y15 holds sign bits.
#define MADWIDE(o, MUL) \
	VMOVDQU o(R8), Y0 \
	VMOVDQU o(R9), Y1 \
	MUL Y1, Y0, Y2 \
	VPSRLQ $32, Y0, Y3 \
	VPSRLQ $32, Y1, Y4 \
	MUL Y4, Y3, Y3 \
	VPSLLQ $32, Y3, Y4 \
	VPBLENDD $0xaa, Y4, Y2, Y4 \
	VPSRLQ $32, Y2, Y0 \
	VPBLENDD $0xaa, Y3, Y0, Y0 \
	VMOVDQU o(R10), Y6 \
	VMOVDQU o(R11), Y1 \
	VPADDD Y6, Y4, Y7 \
	VPXOR Y15, Y6, Y8 \
	VPXOR Y15, Y7, Y9 \
	VPCMPGTD Y9, Y8, Y8 \
	VPADDD Y0, Y1, Y2 \
	VPSUBD Y8, Y2, Y2 \
	VPAND Y0, Y1, Y4 \
	VPOR Y0, Y1, Y5 \
	VPANDN Y5, Y2, Y5 \
	VPOR Y4, Y5, Y4 \
	VMOVDQU Y7, o(DI) \
	VMOVDQU Y2, o(SI)

#define LASTBITS(o) VMOVMSKPS Y4, AX; SHLQ $(o/4), AX; ORQ AX, DX;
#define MADU(o) MADWIDE(o, VPMULUDQ); LASTBITS(o)
#define MADI(o) MADWIDE(o, VPMULDQ); VPXOR Y0, Y4, Y4; VPXOR Y1, Y4, Y4; LASTBITS(o)

#define MADCARRY(NAME, STEP) \
TEXT NAME(SB), NOSPLIT, $0-56 \
	MOVQ dl+0(FP), DI \
	MOVQ dh+8(FP), SI \
	MOVQ a+16(FP), R8 \
	MOVQ b+24(FP), R9 \
	MOVQ cl+32(FP), R10 \
	MOVQ ch+40(FP), R11 \
	XORQ DX, DX \
	VPCMPEQD Y15, Y15, Y15 \
	VPSLLD $31, Y15, Y15 \
	OCTETS(STEP) \
	MOVQ DX, out+48(FP) \
	VZEROUPPER \
	RET

MADCARRY(·avxMadU64U32, MADU)
MADCARRY(·avxMadI64I32, MADI)

// Singles.

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

UNARY(·avxRndneF32, NOTHING, OCTETS(NEAREST))
UNARY(·avxFloorF32, NOTHING, OCTETS(FLOOR))
UNARY(·avxCeilF32, NOTHING, OCTETS(CEIL))
UNARY(·avxTruncF32, NOTHING, OCTETS(TRUNC))
UNARY(·avxFractF32, BELOWONE, OCTETS(FRACT))
UNARY(·avxRcpF32, ONES, OCTETS(RCP))
UNARY(·avxSqrtF32, NOTHING, OCTETS(SQRT))
UNARY(·avxRsqF32, DOUBLEONES, QUARTETS(RSQ))

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
	QUARTETS(LDEXP)
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
	OCTETS(ALTER)
	VZEROUPPER
	RET

// Divisions that need no scaling: see plainDivision. The sign bit of Y7 says
// that a difference of exponents is out of its range.
DATA divide<>+0(SB)/4, $24
DATA divide<>+4(SB)/4, $254
DATA divide<>+8(SB)/4, $1
DATA divide<>+12(SB)/4, $252
DATA divide<>+16(SB)/4, $125
DATA divide<>+20(SB)/4, $95
DATA divide<>+24(SB)/4, $150
DATA divide<>+28(SB)/4, $0x7f800000
GLOBL divide<>(SB), RODATA, $32

#define EXPONENTS(o) \
	VMOVDQU o(SI), Y0 \
	VMOVDQU o(DX), Y1 \
	VPSLLD $1, Y0, Y2 \
	VPSLLD $1, Y1, Y3 \
	VPSRLD $24, Y2, Y2 \
	VPSRLD $24, Y3, Y3

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

// func avxPlainDivision(n, d *Lanes) bool
TEXT ·avxPlainDivision(SB), NOSPLIT, $0-17
	MOVQ n+0(FP), SI
	MOVQ d+8(FP), DX
	VPBROADCASTD divide<>+0(SB), Y15
	VPBROADCASTD divide<>+4(SB), Y14
	VPBROADCASTD divide<>+8(SB), Y13
	VPBROADCASTD divide<>+12(SB), Y12
	VPBROADCASTD divide<>+16(SB), Y11
	VPBROADCASTD divide<>+20(SB), Y10
	VPXOR Y7, Y7, Y7
	OCTETS(PLAINDIV)
	VMOVMSKPS Y7, AX
	TESTL AX, AX
	SETEQ ret+16(FP)
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

// func avxFixupPlain(to, q, d, n *Lanes) bool
TEXT ·avxFixupPlain(SB), NOSPLIT, $0-33
	MOVQ to+0(FP), DI
	MOVQ q+8(FP), CX
	MOVQ d+16(FP), DX
	MOVQ n+24(FP), SI
	VPBROADCASTD divide<>+4(SB), Y14
	VPBROADCASTD divide<>+8(SB), Y13
	VPBROADCASTD divide<>+24(SB), Y12
	VPBROADCASTD divide<>+28(SB), Y11
	VPCMPEQD Y10, Y10, Y10
	VPSLLD $31, Y10, Y10
	VPXOR Y7, Y7, Y7
	OCTETS(PLAINFIX)
	VMOVMSKPS Y7, AX
	TESTL AX, AX
	SETEQ ret+32(FP)
	JEQ fixed
	VZEROUPPER
	RET
fixed:
	OCTETS(SIGNED)
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
	QUARTETS(EXP)
	VZEROUPPER
	RET
