#include "textflag.h"
#include "kernel_amd64.h"

// Whole-wave kernels on halves, by way of singles. The sum and the product of
// two halves, rounded to a single, round to the same half as if they were exact.
// Kernels on the low half of each lane compute both, and keep what Y15 has set.

DATA halves<>+0(SB)/4, $1
DATA halves<>+4(SB)/4, $0x7fff7fff
DATA halves<>+8(SB)/4, $0x7c007c00
DATA halves<>+12(SB)/4, $0x20000000
DATA halves<>+16(SB)/4, $0x7f800000
// The greatest of the singles below normal halves, doubled, less 1: eight times.
DATA halves<>+32(SB)/8, $0x70fffffd70fffffd
DATA halves<>+40(SB)/8, $0x70fffffd70fffffd
DATA halves<>+48(SB)/8, $0x70fffffd70fffffd
DATA halves<>+56(SB)/8, $0x70fffffd70fffffd
GLOBL halves<>(SB), RODATA, $64

#define BOTH VPCMPEQD Y15, Y15, Y15
#define LOW VPCMPEQD Y15, Y15, Y15; VPSRLD $16, Y15, Y15

#define TOHALVES(Y, X, o) VCVTPS2PH $0, Y, X; VPAND X15, X, X; VMOVDQU X, o(DI);

#define ADDH(o) VCVTPH2PS o(SI), Y0; VCVTPH2PS o(DX), Y1; VADDPS Y1, Y0, Y0; TOHALVES(Y0, X0, o)
#define SUBH(o) VCVTPH2PS o(SI), Y0; VCVTPH2PS o(DX), Y1; VSUBPS Y1, Y0, Y0; TOHALVES(Y0, X0, o)
#define SUBREVH(o) VCVTPH2PS o(SI), Y0; VCVTPH2PS o(DX), Y1; VSUBPS Y0, Y1, Y0; TOHALVES(Y0, X0, o)
#define MULH(o) VCVTPH2PS o(SI), Y0; VCVTPH2PS o(DX), Y1; VMULPS Y1, Y0, Y0; TOHALVES(Y0, X0, o)

#define HALVES2(NAME, KEEP, STEP) \
TEXT NAME(SB), NOSPLIT, $0-24 \
	MOVQ d+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	KEEP \
	SIXTEEN(STEP) \
	VZEROUPPER \
	RET

HALVES2(·avxAddF16, LOW, ADDH)
HALVES2(·avxSubF16, LOW, SUBH)
HALVES2(·avxSubrevF16, LOW, SUBREVH)
HALVES2(·avxMulF16, LOW, MULH)
HALVES2(·avxPkAddF16, BOTH, ADDH)
HALVES2(·avxPkMulF16, BOTH, MULH)

// LOWS makes singles of the low halves of lanes 0, 1, 4, 5, 2, 3, 6, 7.
#define LOWS(o, R, Y, T) LOWSOF(o(R), o+16(R), Y, T)
#define LOWSOF(FROM, NEXT, Y, T) \
	VCVTPH2PS FROM, Y \
	VCVTPH2PS NEXT, T \
	VSHUFPS $0x88, T, Y, Y

// Fused products and sums take two vectors at a time, 16 low halves or eight lanes of two, from the place in R8 on.
#define FETCHLOWS(R, Y, T) \
	LOWSOF(0(R)(R8*1), 16(R)(R8*1), Y, Y1) \
	LOWSOF(32(R)(R8*1), 48(R)(R8*1), T, Y1)

#define STORELOW(o, Y, X) \
	VPERMPD $0xd8, Y, Y \
	VCVTPS2PH $0, Y, X \
	VPMOVZXWD X, Y \
	VMOVDQU Y, o(DI)(R8*1)

#define STORELOWS STORELOW(0, Y3, X3); STORELOW(32, Y9, X9);

#define FETCHPAIRS(R, Y, T) VCVTPH2PS 0(R)(R8*1), Y; VCVTPH2PS 16(R)(R8*1), T;
#define STOREPAIRS VCVTPS2PH $0, Y3, 0(DI)(R8*1); VCVTPS2PH $0, Y9, 16(DI)(R8*1);

// The product of Y0 and Y3, in Y7, is exact. Of its sum with Y2, in Y3, what rounding to a single has taken off is
// found, in Y5; where that is something, an even sum gives way to the odd number on the side of the exact one, which
// rounds to a half as the exact one does.
#define SUMH \
	VMULPS Y3, Y0, Y7 \
	VFMADD213PS Y2, Y0, Y3 \
	VSUBPS Y7, Y3, Y4 \
	VSUBPS Y4, Y3, Y5 \
	VSUBPS Y5, Y7, Y5 \
	VSUBPS Y4, Y2, Y4 \
	VADDPS Y4, Y5, Y5 \
	VXORPS Y3, Y5, Y4 \
	VPSRAD $31, Y4, Y4 \
	VPOR Y14, Y4, Y4 \
	VCMPPS $0x0c, Y13, Y5, Y5 \
	VPAND Y14, Y3, Y6 \
	VPCMPEQD Y13, Y6, Y6 \
	VPAND Y4, Y5, Y5 \
	VPAND Y6, Y5, Y5 \
	VPADDD Y5, Y3, Y3

// MIDDLES finds what may be in the middle of two halves: S has zeros in its lowest 12 bits and a bit above them, or is
// less than normal halves, and not zero.
#define MIDDLES(S, Y, T) \
	VPSLLD $19, S, Y \
	VPCMPEQD Y11, Y, Y \
	VPADDD S, S, T \
	VPADDD Y15, T, T \
	VPMINUD halves<>+32(SB), T, Y1 \
	VPCMPEQD Y1, T, T \
	VPOR T, Y, Y

// Only a sum in the middle of two halves depends on what rounding it to a single has taken off. Few sums have zeros in
// their lowest 12 bits, or else many do that are halves.
#define HALVES3(NAME, FETCH, STORE, SIZE) \
TEXT NAME(SB), NOSPLIT, $0-32 \
	MOVQ d+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	MOVQ c+24(FP), CX \
	XORQ R8, R8 \
	VPXOR Y13, Y13, Y13 \
	VPBROADCASTD halves<>+0(SB), Y14 \
	VPSLLD $31, Y14, Y11 \
	VPCMPEQD Y15, Y15, Y15 \
next: \
	FETCH(SI, Y0, Y8) \
	FETCH(DX, Y3, Y9) \
	FETCH(CX, Y2, Y10) \
	VFMADD213PS Y2, Y0, Y3 \
	VFMADD213PS Y10, Y8, Y9 \
	VPSLLD $20, Y3, Y5 \
	VPSLLD $20, Y9, Y6 \
	VPMINUD Y5, Y6, Y5 \
	VPCMPEQD Y13, Y5, Y5 \
	VPTEST Y5, Y5 \
	JNE short \
round: \
	STORE \
	ADDQ SIZE, R8 \
	CMPQ R8, $256 \
	JNE next \
	VZEROUPPER \
	RET \
short: \
	MIDDLES(Y3, Y5, Y7) \
	MIDDLES(Y9, Y6, Y7) \
	VPOR Y5, Y6, Y5 \
	VPTEST Y5, Y5 \
	JEQ round \
	FETCH(DX, Y3, Y9) \
	SUMH \
	VMOVAPS Y3, Y12 \
	VMOVAPS Y8, Y0 \
	VMOVAPS Y9, Y3 \
	VMOVAPS Y10, Y2 \
	SUMH \
	VMOVAPS Y3, Y9 \
	VMOVAPS Y12, Y3 \
	JMP round

HALVES3(·avxFmaF16, FETCHLOWS, STORELOWS, $64)
HALVES3(·avxPkFmaF16, FETCHPAIRS, STOREPAIRS, $32)

#define FROMHALF(o) LOWS(o, SI, Y0, Y1); VPERMPD $0xd8, Y0, Y0; VMOVUPS Y0, o(DI);
#define TOHALF(o) VMOVUPS o(SI), Y0; VCVTPS2PH $0, Y0, X0; VPMOVZXWD X0, Y0; VMOVDQU Y0, o(DI);

#define CONVERT(NAME, STEP) \
TEXT NAME(SB), NOSPLIT, $0-16 \
	MOVQ d+0(FP), DI \
	MOVQ a+8(FP), SI \
	EIGHT(STEP) \
	VZEROUPPER \
	RET

CONVERT(·avxCvtF32F16, FROMHALF)
CONVERT(·avxCvtF16F32, TOHALF)

#define CMPH(o, HOW) \
	LOWS(o, SI, Y0, Y2) \
	LOWS(o, DX, Y1, Y3) \
	VCMPPS HOW, Y1, Y0, Y0 \
	VPERMPD $0xd8, Y0, Y0 \
	VMOVMSKPS Y0, AX \
	SHLQ $8, R8 \
	ORQ AX, R8

#define LTH(o) CMPH(o, $0x11)
#define LEH(o) CMPH(o, $0x12)
#define EQH(o) CMPH(o, $0x00)
#define NEH(o) CMPH(o, $0x0c)
#define ORDH(o) CMPH(o, $0x07)

#define TESTHALVES(NAME, STEP) \
TEXT NAME(SB), NOSPLIT, $0-24 \
	MOVQ a+0(FP), SI \
	MOVQ b+8(FP), DX \
	XORQ R8, R8 \
	EIGHTDOWN(STEP) \
	MOVQ R8, m+16(FP) \
	VZEROUPPER \
	RET

TESTHALVES(·avxLessF16, LTH)
TESTHALVES(·avxAtMostF16, LEH)
TESTHALVES(·avxEqualF16, EQH)
TESTHALVES(·avxUnequalF16, NEH)
TESTHALVES(·avxOrderedF16, ORDH)

// Minimum and maximum compare bits; they write nothing and return false where a
// NaN is among the sources. ORDEREDH turns halves into integers of their order, and back.
#define NANH(o, R) VPAND o(R), Y14, Y0; VPCMPGTW Y13, Y0, Y0; VPOR Y0, Y5, Y5;
#define NANSH(o) NANH(o, SI) NANH(o, DX)
#define ORDEREDH(Y, T) VPSRAW $15, Y, T; VPSRLW $1, T, T; VPXOR T, Y, Y;
#define PICKH(o, PICK) \
	VPAND o(SI), Y15, Y0 \
	VPAND o(DX), Y15, Y1 \
	ORDEREDH(Y0, Y2) \
	ORDEREDH(Y1, Y3) \
	PICK Y1, Y0, Y0 \
	ORDEREDH(Y0, Y2) \
	VMOVDQU Y0, o(DI)

#define MINH(o) PICKH(o, VPMINSW)
#define MAXH(o) PICKH(o, VPMAXSW)

#define EXTREMEHALVES(NAME, KEEP, STEP) \
TEXT NAME(SB), NOSPLIT, $0-25 \
	MOVQ d+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	KEEP \
	VPBROADCASTD halves<>+4(SB), Y14 \
	VPAND Y15, Y14, Y14 \
	VPBROADCASTD halves<>+8(SB), Y13 \
	VPXOR Y5, Y5, Y5 \
	EIGHT(NANSH) \
	VPTEST Y5, Y5 \
	SETEQ ok+24(FP) \
	JEQ 3(PC) \
	VZEROUPPER \
	RET \
	EIGHT(STEP) \
	VZEROUPPER \
	RET

EXTREMEHALVES(·minHalves, LOW, MINH)
EXTREMEHALVES(·maxHalves, LOW, MAXH)
EXTREMEHALVES(·minPairs, BOTH, MINH)
EXTREMEHALVES(·maxPairs, BOTH, MAXH)

// FLUSHH takes low halves, zeros for denormals.
#define FLUSHH(o) \
	VPAND o(SI), Y15, Y0 \
	VPAND Y14, Y0, Y1 \
	VPCMPEQD Y13, Y1, Y1 \
	VPAND Y12, Y1, Y1 \
	VPANDN Y0, Y1, Y0 \
	VMOVDQU Y0, o(DI)

// func avxFlushF16(d, a *Lanes)
TEXT ·avxFlushF16(SB), NOSPLIT, $0-16
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	LOW
	VPBROADCASTD halves<>+4(SB), Y12
	VPAND Y15, Y12, Y12
	VPBROADCASTD halves<>+8(SB), Y14
	VPAND Y15, Y14, Y14
	VPXOR Y13, Y13, Y13
	EIGHT(FLUSHH)
	VZEROUPPER
	RET

// The product of two singles, in Y7, is exact in float64; of the sum, in Y3, what
// rounding has taken off is in Y5. As above, an even sum then gives way to an odd one. The
// single of its leading bits, odd where any of the others is set, rounds to a half
// as the exact sum does.
#define FMATOH(o) \
	VCVTPS2PD o(SI), Y0 \
	VCVTPS2PD o(DX), Y3 \
	VCVTPS2PD o(CX), Y2 \
	VMULPD Y3, Y0, Y7 \
	VFMADD213PD Y2, Y0, Y3 \
	VSUBPD Y7, Y3, Y4 \
	VSUBPD Y4, Y3, Y5 \
	VSUBPD Y5, Y7, Y5 \
	VSUBPD Y4, Y2, Y4 \
	VADDPD Y4, Y5, Y5 \
	VPXOR Y3, Y5, Y4 \
	VPCMPGTQ Y4, Y13, Y4 \
	VPOR Y14, Y4, Y4 \
	VCMPPD $0x0c, Y13, Y5, Y5 \
	VPAND Y14, Y3, Y6 \
	VPCMPEQQ Y13, Y6, Y6 \
	VPAND Y4, Y5, Y5 \
	VPAND Y6, Y5, Y5 \
	VPADDQ Y5, Y3, Y3 \
	VPAND Y12, Y3, Y4 \
	VPADDQ Y12, Y4, Y4 \
	VPAND Y11, Y4, Y4 \
	VPANDN Y3, Y12, Y3 \
	VPOR Y4, Y3, Y3 \
	VCVTPD2PSY Y3, X3 \
	VCVTPS2PH $0, X3, X3 \
	VPMOVZXWD X3, X3 \
	VMOVDQU X3, o(DI)

// func avxFmaToF16(d, a, b, c *Lanes)
TEXT ·avxFmaToF16(SB), NOSPLIT, $0-32
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ c+24(FP), CX
	VPXOR Y13, Y13, Y13
	VPCMPEQD Y14, Y14, Y14
	VPSRLQ $63, Y14, Y14
	VMOVD halves<>+12(SB), X11
	VPBROADCASTQ X11, Y11
	VPCMPEQD Y12, Y12, Y12
	VPSRLQ $35, Y12, Y12
	SIXTEEN(FMATOH)
	VZEROUPPER
	RET

// Pairs of halves, denormals zeros of their sign where Y12 has bits, become singles: the low halves
// of lanes 0, 1, 4, 5, 2, 3, 6, 7 in LOW, the high ones in HIGH.
#define PAIRS(o, R, LOW, HIGH) \
	VMOVDQU o(R), Y0 \
	VPAND Y14, Y0, Y1 \
	VPCMPEQW Y13, Y1, Y1 \
	VPAND Y12, Y1, Y1 \
	VPANDN Y0, Y1, Y0 \
	VCVTPH2PS X0, Y1 \
	VEXTRACTI128 $1, Y0, X0 \
	VCVTPH2PS X0, Y0 \
	VSHUFPS $0x88, Y0, Y1, LOW \
	VSHUFPS $0xdd, Y0, Y1, HIGH

// FLUSHSINGLES takes zeros for denormals.
#define FLUSHSINGLES(Y) \
	VPAND Y11, Y, Y1 \
	VPCMPEQD Y13, Y1, Y1 \
	VPAND Y10, Y1, Y1 \
	VPANDN Y, Y1, Y

#define DOT2(o) \
	PAIRS(o, SI, Y2, Y3) \
	PAIRS(o, DX, Y4, Y5) \
	VMOVDQU o(CX), Y6 \
	FLUSHSINGLES(Y6) \
	VPXOR Y9, Y6, Y6 \
	VPERMPD $0xd8, Y6, Y6 \
	VFMADD213PS Y6, Y2, Y4 \
	VFMADD213PS Y4, Y3, Y5 \
	FLUSHSINGLES(Y5) \
	VPERMPD $0xd8, Y5, Y5 \
	VMOVUPS Y5, o(DI)

#define DOT2BITS \
	VPBROADCASTD halves<>+8(SB), Y14 \
	VPXOR Y13, Y13, Y13 \
	VPBROADCASTD halves<>+16(SB), Y11 \
	VPCMPEQD Y10, Y10, Y10 \
	VPSRLD $1, Y10, Y10

// func avxDot2F32F16(d, a, b, c *Lanes, flush, flip uint32)
TEXT ·avxDot2F32F16(SB), NOSPLIT, $0-40
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ c+24(FP), CX
	MOVL flush+32(FP), AX
	VMOVD AX, X12
	VPBROADCASTD X12, Y12
	MOVL flip+36(FP), AX
	VMOVD AX, X9
	VPBROADCASTD X9, Y9
	DOT2BITS
	EIGHT(DOT2)
	VZEROUPPER
	RET

OP(·opDot2F32F16)
	PLACE(0, DI)
	PLACE(1, SI)
	PLACE(2, DX)
	PLACE(3, CX)
	VPBROADCASTD 48(R12), Y12
	VPBROADCASTD 56(R12), Y9
	DOT2BITS
	LANES(DOT2, end)
	NEXTOP

#define FROMHIGH(o) \
	VCVTPH2PS o(SI), Y0 \
	VCVTPH2PS o+16(SI), Y1 \
	VSHUFPS $0xdd, Y1, Y0, Y0 \
	VPERMPD $0xd8, Y0, Y0 \
	VMOVUPS Y0, o(DI)

CONVERT(·avxCvtF32HighF16, FROMHIGH)
