#include "textflag.h"
#include "kernel_amd64.h"

// Whole-wave kernels on 64-bit operands, whose low and high words are in
// registers of their own.

DATA wide32<>+0(SB)/4, $63
DATA wide32<>+4(SB)/4, $32
DATA wide32<>+8(SB)/4, $31
GLOBL wide32<>(SB), RODATA, $12

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
	EIGHT(STEP) \
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
#define FMADWITH(o, L, H) \
	TERMS(o) \
	VMOVUPS o(L), Y8 \
	VMOVUPS o(H), Y9 \
	DOUBLES(Y8, Y9, Y10, Y11) \
	VFMADD213PD Y10, Y2, Y6 \
	VFMADD213PD Y11, Y3, Y7 \
	WORDS(Y6, Y7, o)

#define FMAD(o) FMADWITH(o, R12, R13)

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
	EIGHT(STEP) \
	VZEROUPPER \
	RET

DOUBLE(·avxAddF64, ADDD)
DOUBLE(·avxMulF64, MULD)
DOUBLE(·avxFmaF64, FMAD)

DATA doubles<>+0x00(SB)/8, $0x3ff0000000000000 // 1
DATA doubles<>+0x08(SB)/8, $0x3fefffffffffffff // the number below 1
GLOBL doubles<>(SB), RODATA, $0x10

#define ONED(o) \
	VMOVUPS o(R8), Y0 \
	VMOVUPS o(R9), Y1 \
	DOUBLES(Y0, Y1, Y2, Y3)

#define NEARESTD(o) ONED(o); VROUNDPD $0x8, Y2, Y2; VROUNDPD $0x8, Y3, Y3; WORDS(Y2, Y3, o)
#define FLOORD(o) ONED(o); VROUNDPD $0x9, Y2, Y2; VROUNDPD $0x9, Y3, Y3; WORDS(Y2, Y3, o)
#define CEILD(o) ONED(o); VROUNDPD $0xa, Y2, Y2; VROUNDPD $0xa, Y3, Y3; WORDS(Y2, Y3, o)
#define TRUNCD(o) ONED(o); VROUNDPD $0xb, Y2, Y2; VROUNDPD $0xb, Y3, Y3; WORDS(Y2, Y3, o)
#define SQRTD(o) ONED(o); VSQRTPD Y2, Y2; VSQRTPD Y3, Y3; WORDS(Y2, Y3, o)
#define RCPD(o) ONED(o); VDIVPD Y2, Y13, Y2; VDIVPD Y3, Y13, Y3; WORDS(Y2, Y3, o)
#define RSQD(o) \
	ONED(o) \
	VSQRTPD Y2, Y2 \
	VSQRTPD Y3, Y3 \
	VDIVPD Y2, Y13, Y2 \
	VDIVPD Y3, Y13, Y3 \
	WORDS(Y2, Y3, o)
#define FRACTD(o) \
	ONED(o) \
	VROUNDPD $0x9, Y2, Y4 \
	VROUNDPD $0x9, Y3, Y5 \
	VSUBPD Y4, Y2, Y2 \
	VSUBPD Y5, Y3, Y3 \
	VMINPD Y2, Y12, Y2 \
	VMINPD Y3, Y12, Y3 \
	WORDS(Y2, Y3, o)

#define ONEDOUBLE(NAME, STEP) \
TEXT NAME(SB), NOSPLIT, $0-32 \
	MOVQ dl+0(FP), DI \
	MOVQ dh+8(FP), SI \
	MOVQ al+16(FP), R8 \
	MOVQ ah+24(FP), R9 \
	VBROADCASTSD doubles<>+0x00(SB), Y13 \
	VBROADCASTSD doubles<>+0x08(SB), Y12 \
	EIGHT(STEP) \
	VZEROUPPER \
	RET

ONEDOUBLE(·avxRndneF64, NEARESTD)
ONEDOUBLE(·avxFloorF64, FLOORD)
ONEDOUBLE(·avxCeilF64, CEILD)
ONEDOUBLE(·avxTruncF64, TRUNCD)
ONEDOUBLE(·avxSqrtF64, SQRTD)
ONEDOUBLE(·avxRcpF64, RCPD)
ONEDOUBLE(·avxRsqF64, RSQD)
ONEDOUBLE(·avxFractF64, FRACTD)

// Minimum and maximum compare bits, as integers of the numbers' order; they write
// nothing and return false where a NaN is among the sources.
#define NAND(o) \
	TERMS(o) \
	VCMPPD $3, Y6, Y2, Y2 \
	VCMPPD $3, Y7, Y3, Y3 \
	VPOR Y2, Y3, Y3 \
	VPOR Y3, Y12, Y12

#define RANK(Y, TO) VPCMPGTQ Y, Y13, TO; VPSRLQ $1, TO, TO; VPXOR Y, TO, TO;

#define RANKS(o) \
	TERMS(o) \
	RANK(Y2, Y8) \
	RANK(Y6, Y9) \
	RANK(Y3, Y10) \
	RANK(Y7, Y11)

#define MIND(o) \
	RANKS(o) \
	VPCMPGTQ Y9, Y8, Y8 \
	VPCMPGTQ Y11, Y10, Y10 \
	VBLENDVPD Y8, Y6, Y2, Y2 \
	VBLENDVPD Y10, Y7, Y3, Y3 \
	WORDS(Y2, Y3, o)

#define MAXD(o) \
	RANKS(o) \
	VPCMPGTQ Y8, Y9, Y8 \
	VPCMPGTQ Y10, Y11, Y10 \
	VBLENDVPD Y8, Y6, Y2, Y2 \
	VBLENDVPD Y10, Y7, Y3, Y3 \
	WORDS(Y2, Y3, o)

#define EXTREMEDOUBLES(NAME, STEP) \
TEXT NAME(SB), NOSPLIT, $0-49 \
	MOVQ dl+0(FP), DI \
	MOVQ dh+8(FP), SI \
	MOVQ al+16(FP), R8 \
	MOVQ ah+24(FP), R9 \
	MOVQ bl+32(FP), R10 \
	MOVQ bh+40(FP), R11 \
	VPXOR Y13, Y13, Y13 \
	VPXOR Y12, Y12, Y12 \
	EIGHT(NAND) \
	VPTEST Y12, Y12 \
	SETEQ ok+48(FP) \
	JEQ 3(PC) \
	VZEROUPPER \
	RET \
	EIGHT(STEP) \
	VZEROUPPER \
	RET

EXTREMEDOUBLES(·minDoubles, MIND)
EXTREMEDOUBLES(·maxDoubles, MAXD)

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
	EIGHTDOWN(STEP) \
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
	EIGHT(STEP) \
	MOVQ DX, out+48(FP) \
	VZEROUPPER \
	RET

MADCARRY(·avxMadU64U32, MADU)
MADCARRY(·avxMadI64I32, MADI)

// Ops on operands of 64 bits, whose halves lie in registers that follow each other.

#define HIGH(LOW, REG) LEAQ 256(LOW), REG

#define OPSHIFTWIDE(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, R8) \
	AT(2, R9) \
	HIGH(DI, SI) \
	HIGH(R9, R10) \
	VPBROADCASTD wide32<>+0(SB), Y15 \
	VPBROADCASTD wide32<>+4(SB), Y14 \
	VPBROADCASTD wide32<>+8(SB), Y13 \
	LANES(STEP, end) \
	NEXTOP

FORMS(OPSHIFTWIDE, ·opLshlrevB64, ·nearLshlrevB64, ·mixedLshlrevB64, LSHL64)
FORMS(OPSHIFTWIDE, ·opLshrrevB64, ·nearLshrrevB64, ·mixedLshrrevB64, LSHR64)
FORMS(OPSHIFTWIDE, ·opAshrrevI64, ·nearAshrrevI64, ·mixedAshrrevI64, ASHR64)

#define OPDOUBLE(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, R8) \
	AT(2, R10) \
	HIGH(DI, SI) \
	HIGH(R8, R9) \
	HIGH(R10, R11) \
	LANES(STEP, end) \
	NEXTOP

FORMS(OPDOUBLE, ·opAddF64, ·nearAddF64, ·mixedAddF64, ADDD)
FORMS(OPDOUBLE, ·opMulF64, ·nearMulF64, ·mixedMulF64, MULD)

#define FMADOP(o) FMADWITH(o, CX, BX)

#define OPTRIPLE(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, R8) \
	AT(2, R10) \
	AT(3, CX) \
	HIGH(DI, SI) \
	HIGH(R8, R9) \
	HIGH(R10, R11) \
	HIGH(CX, BX) \
	LANES(STEP, end) \
	NEXTOP

FORMS(OPTRIPLE, ·opFmaF64, ·nearFmaF64, ·mixedFmaF64, FMADOP)

#define OPMADCARRY(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, R8) \
	AT(2, R9) \
	AT(3, R10) \
	PLACE(4, BX) \
	HIGH(DI, SI) \
	HIGH(R10, R11) \
	XORL DX, DX \
	VPCMPEQD Y15, Y15, Y15 \
	VPSLLD $31, Y15, Y15 \
	LANES(STEP, end) \
	PUTMASK(DX, BX) \
	NEXTOP

SPREADABLE(OPMADCARRY, ·opMadU64U32, ·nearMadU64U32, ·mixedMadU64U32, ·spreadMadU64U32, MADU)
SPREADABLE(OPMADCARRY, ·opMadI64I32, ·nearMadI64I32, ·mixedMadI64I32, ·spreadMadI64I32, MADI)

#define OPTESTWIDE(NAME, STEP, AT, FIRST) \
OP(NAME) \
	PLACE(0, DI) \
	FIRST(1, R8) \
	AT(2, R10) \
	HIGH(R8, R9) \
	HIGH(R10, R11) \
	XORL DX, DX \
	VPCMPEQD Y15, Y15, Y15 \
	VPSLLD $31, Y15, Y15 \
	LANESDOWN(STEP, low) \
	XORQ 40(R12), DX \
	PUTMASK(DX, DI) \
	NEXTOP

FORMS(OPTESTWIDE, ·opEqual64, ·nearEqual64, ·mixedEqual64, EQ64)
FORMS(OPTESTWIDE, ·opLessU64, ·nearLessU64, ·mixedLessU64, LTU64)
FORMS(OPTESTWIDE, ·opLessI64, ·nearLessI64, ·mixedLessI64, LTI64)
FORMS(OPTESTWIDE, ·opLessF64, ·nearLessF64, ·mixedLessF64, LTD)
FORMS(OPTESTWIDE, ·opAtMostF64, ·nearAtMostF64, ·mixedAtMostF64, LED)
FORMS(OPTESTWIDE, ·opEqualF64, ·nearEqualF64, ·mixedEqualF64, EQD)
FORMS(OPTESTWIDE, ·opUnequalF64, ·nearUnequalF64, ·mixedUnequalF64, NED)
FORMS(OPTESTWIDE, ·opOrderedF64, ·nearOrderedF64, ·mixedOrderedF64, ORDD)
