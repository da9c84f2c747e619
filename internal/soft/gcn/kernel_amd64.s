#include "textflag.h"

// Whole-wave kernels with AVX2 and FMA: 64 lanes are eight vectors of eight.
// Every kernel reads a vector of all its sources before it writes that vector
// of its destination, so destinations may be sources.

// Each lane of half a wave with its bit.
DATA bits<>+0(SB)/4, $0x1
DATA bits<>+4(SB)/4, $0x2
DATA bits<>+8(SB)/4, $0x4
DATA bits<>+12(SB)/4, $0x8
DATA bits<>+16(SB)/4, $0x10
DATA bits<>+20(SB)/4, $0x20
DATA bits<>+24(SB)/4, $0x40
DATA bits<>+28(SB)/4, $0x80
DATA bits<>+32(SB)/4, $0x100
DATA bits<>+36(SB)/4, $0x200
DATA bits<>+40(SB)/4, $0x400
DATA bits<>+44(SB)/4, $0x800
DATA bits<>+48(SB)/4, $0x1000
DATA bits<>+52(SB)/4, $0x2000
DATA bits<>+56(SB)/4, $0x4000
DATA bits<>+60(SB)/4, $0x8000
DATA bits<>+64(SB)/4, $0x10000
DATA bits<>+68(SB)/4, $0x20000
DATA bits<>+72(SB)/4, $0x40000
DATA bits<>+76(SB)/4, $0x80000
DATA bits<>+80(SB)/4, $0x100000
DATA bits<>+84(SB)/4, $0x200000
DATA bits<>+88(SB)/4, $0x400000
DATA bits<>+92(SB)/4, $0x800000
DATA bits<>+96(SB)/4, $0x1000000
DATA bits<>+100(SB)/4, $0x2000000
DATA bits<>+104(SB)/4, $0x4000000
DATA bits<>+108(SB)/4, $0x8000000
DATA bits<>+112(SB)/4, $0x10000000
DATA bits<>+116(SB)/4, $0x20000000
DATA bits<>+120(SB)/4, $0x40000000
DATA bits<>+124(SB)/4, $0x80000000
GLOBL bits<>(SB), RODATA, $128

#define EIGHT(STEP) \
	STEP(0) \
	STEP(32) \
	STEP(64) \
	STEP(96) \
	STEP(128) \
	STEP(160) \
	STEP(192) \
	STEP(224)

// From the last vector to the first, for masks that are shifted together.
#define EIGHTDOWN(STEP) \
	STEP(224) \
	STEP(192) \
	STEP(160) \
	STEP(128) \
	STEP(96) \
	STEP(64) \
	STEP(32) \
	STEP(0)

#define BINARY(NAME, STEP) \
TEXT NAME(SB), NOSPLIT, $0-24 \
	MOVQ d+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	EIGHT(STEP) \
	VZEROUPPER \
	RET

// Shifts take their counts modulo 32.
#define SHIFT(NAME, STEP) \
TEXT NAME(SB), NOSPLIT, $0-24 \
	MOVQ d+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	VPCMPEQD Y15, Y15, Y15 \
	VPSRLD $27, Y15, Y15 \
	EIGHT(STEP) \
	VZEROUPPER \
	RET

#define TERNARY(NAME, STEP) \
TEXT NAME(SB), NOSPLIT, $0-32 \
	MOVQ d+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	MOVQ c+24(FP), CX \
	VPCMPEQD Y15, Y15, Y15 \
	VPSRLD $27, Y15, Y15 \
	EIGHT(STEP) \
	VZEROUPPER \
	RET

#define ADDU(o) VMOVDQU o(SI), Y0; VPADDD o(DX), Y0, Y0; VMOVDQU Y0, o(DI);
#define SUBU(o) VMOVDQU o(SI), Y0; VPSUBD o(DX), Y0, Y0; VMOVDQU Y0, o(DI);
#define SUBREVU(o) VMOVDQU o(DX), Y0; VPSUBD o(SI), Y0, Y0; VMOVDQU Y0, o(DI);
#define ANDB(o) VMOVDQU o(SI), Y0; VPAND o(DX), Y0, Y0; VMOVDQU Y0, o(DI);
#define ORB(o) VMOVDQU o(SI), Y0; VPOR o(DX), Y0, Y0; VMOVDQU Y0, o(DI);
#define XORB(o) VMOVDQU o(SI), Y0; VPXOR o(DX), Y0, Y0; VMOVDQU Y0, o(DI);
#define MULLO(o) VMOVDQU o(SI), Y0; VPMULLD o(DX), Y0, Y0; VMOVDQU Y0, o(DI);
#define MINI(o) VMOVDQU o(SI), Y0; VPMINSD o(DX), Y0, Y0; VMOVDQU Y0, o(DI);
#define MAXI(o) VMOVDQU o(SI), Y0; VPMAXSD o(DX), Y0, Y0; VMOVDQU Y0, o(DI);
#define MINU(o) VMOVDQU o(SI), Y0; VPMINUD o(DX), Y0, Y0; VMOVDQU Y0, o(DI);
#define MAXU(o) VMOVDQU o(SI), Y0; VPMAXUD o(DX), Y0, Y0; VMOVDQU Y0, o(DI);
#define ADDF(o) VMOVUPS o(SI), Y0; VADDPS o(DX), Y0, Y0; VMOVUPS Y0, o(DI);
#define SUBF(o) VMOVUPS o(SI), Y0; VSUBPS o(DX), Y0, Y0; VMOVUPS Y0, o(DI);
#define SUBREVF(o) VMOVUPS o(DX), Y0; VSUBPS o(SI), Y0, Y0; VMOVUPS Y0, o(DI);
#define MULF(o) VMOVUPS o(SI), Y0; VMULPS o(DX), Y0, Y0; VMOVUPS Y0, o(DI);

BINARY(·avxAddU32, ADDU)
BINARY(·avxSubU32, SUBU)
BINARY(·avxSubrevU32, SUBREVU)
BINARY(·avxAndB32, ANDB)
BINARY(·avxOrB32, ORB)
BINARY(·avxXorB32, XORB)
BINARY(·avxMulLoU32, MULLO)
BINARY(·avxMinI32, MINI)
BINARY(·avxMaxI32, MAXI)
BINARY(·avxMinU32, MINU)
BINARY(·avxMaxU32, MAXU)
BINARY(·avxAddF32, ADDF)
BINARY(·avxSubF32, SUBF)
BINARY(·avxSubrevF32, SUBREVF)
BINARY(·avxMulF32, MULF)

#define LSHL(o) VPAND o(SI), Y15, Y1; VMOVDQU o(DX), Y0; VPSLLVD Y1, Y0, Y0; VMOVDQU Y0, o(DI);
#define LSHR(o) VPAND o(SI), Y15, Y1; VMOVDQU o(DX), Y0; VPSRLVD Y1, Y0, Y0; VMOVDQU Y0, o(DI);
#define ASHR(o) VPAND o(SI), Y15, Y1; VMOVDQU o(DX), Y0; VPSRAVD Y1, Y0, Y0; VMOVDQU Y0, o(DI);

SHIFT(·avxLshlrevB32, LSHL)
SHIFT(·avxLshrrevB32, LSHR)
SHIFT(·avxAshrrevI32, ASHR)

#define FMA(o) VMOVUPS o(SI), Y0; VMOVUPS o(DX), Y1; VFMADD213PS o(CX), Y1, Y0; VMOVUPS Y0, o(DI);
#define LSHLADD(o) VPAND o(DX), Y15, Y1; VMOVDQU o(SI), Y0; VPSLLVD Y1, Y0, Y0; VPADDD o(CX), Y0, Y0; VMOVDQU Y0, o(DI);
#define LSHLOR(o) VPAND o(DX), Y15, Y1; VMOVDQU o(SI), Y0; VPSLLVD Y1, Y0, Y0; VPOR o(CX), Y0, Y0; VMOVDQU Y0, o(DI);
#define ADDLSHL(o) VPAND o(CX), Y15, Y1; VMOVDQU o(SI), Y0; VPADDD o(DX), Y0, Y0; VPSLLVD Y1, Y0, Y0; VMOVDQU Y0, o(DI);
#define ADD3(o) VMOVDQU o(SI), Y0; VPADDD o(DX), Y0, Y0; VPADDD o(CX), Y0, Y0; VMOVDQU Y0, o(DI);
#define ANDOR(o) VMOVDQU o(SI), Y0; VPAND o(DX), Y0, Y0; VPOR o(CX), Y0, Y0; VMOVDQU Y0, o(DI);
#define OR3(o) VMOVDQU o(SI), Y0; VPOR o(DX), Y0, Y0; VPOR o(CX), Y0, Y0; VMOVDQU Y0, o(DI);

TERNARY(·avxFmaF32, FMA)
TERNARY(·avxLshlAddU32, LSHLADD)
TERNARY(·avxLshlOrB32, LSHLOR)
TERNARY(·avxAddLshlU32, ADDLSHL)
TERNARY(·avxAdd3U32, ADD3)
TERNARY(·avxAndOrB32, ANDOR)
TERNARY(·avxOr3B32, OR3)

// TEST compares a, in SI, with b, in DX, and returns a bit for each lane.
#define TEST(NAME, STEP) \
TEXT NAME(SB), NOSPLIT, $0-24 \
	MOVQ a+0(FP), SI \
	MOVQ b+8(FP), DX \
	XORQ R8, R8 \
	VPCMPEQD Y15, Y15, Y15 \
	VPSLLD $31, Y15, Y15 \
	EIGHTDOWN(STEP) \
	MOVQ R8, m+16(FP) \
	VZEROUPPER \
	RET

#define GATHERBITS VMOVMSKPS Y2, AX; SHLQ $8, R8; ORQ AX, R8;
#define EQI(o) VMOVDQU o(SI), Y0; VPCMPEQD o(DX), Y0, Y2; GATHERBITS
#define LTI(o) VMOVDQU o(DX), Y0; VPCMPGTD o(SI), Y0, Y2; GATHERBITS
#define LTU(o) VPXOR o(SI), Y15, Y0; VPXOR o(DX), Y15, Y1; VPCMPGTD Y0, Y1, Y2; GATHERBITS
#define LTF(o) VMOVUPS o(SI), Y0; VCMPPS $0x11, o(DX), Y0, Y2; GATHERBITS
#define LEF(o) VMOVUPS o(SI), Y0; VCMPPS $0x12, o(DX), Y0, Y2; GATHERBITS
#define EQF(o) VMOVUPS o(SI), Y0; VCMPPS $0x00, o(DX), Y0, Y2; GATHERBITS
#define NEF(o) VMOVUPS o(SI), Y0; VCMPPS $0x0c, o(DX), Y0, Y2; GATHERBITS
#define ORDF(o) VMOVUPS o(SI), Y0; VCMPPS $0x07, o(DX), Y0, Y2; GATHERBITS

TEST(·avxEqual32, EQI)
TEST(·avxLessI32, LTI)
TEST(·avxLessU32, LTU)
TEST(·avxLessF32, LTF)
TEST(·avxAtMostF32, LEF)
TEST(·avxEqualF32, EQF)
TEST(·avxUnequalF32, NEF)
TEST(·avxOrderedF32, ORDF)

// EXPAND makes a vector of masks of the bits for the lanes at o: the low half of
// the wave's are all over Y14, the high half's all over Y13.
#define EXPAND(o, Y, HALF) \
	VPAND bits<>+(o&127)(SB), HALF, Y \
	VPCMPEQD bits<>+(o&127)(SB), Y, Y

#define HALVES \
	VMOVQ R9, X13 \
	VPBROADCASTD X13, Y14 \
	VPSRLQ $32, X13, X13 \
	VPBROADCASTD X13, Y13

#define EIGHTHALVES(STEP) \
	STEP(0, Y14) \
	STEP(32, Y14) \
	STEP(64, Y14) \
	STEP(96, Y14) \
	STEP(128, Y13) \
	STEP(160, Y13) \
	STEP(192, Y13) \
	STEP(224, Y13)

#define SELECT(o, HALF) EXPAND(o, Y3, HALF); VMOVDQU o(SI), Y0; VMOVDQU o(DX), Y1; VPBLENDVB Y3, Y1, Y0, Y0; VMOVDQU Y0, o(DI);

// func avxSelect(d, a, b *Lanes, in uint64)
TEXT ·avxSelect(SB), NOSPLIT, $0-32
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ in+24(FP), R9
	HALVES
	EIGHTHALVES(SELECT)
	VZEROUPPER
	RET

// Carries: the top bit of the majority of both terms and the complement of the sum.
#define CARRYBITS(o) \
	VPAND Y0, Y1, Y4 \
	VPOR Y0, Y1, Y5 \
	VPANDN Y5, Y2, Y5 \
	VPOR Y4, Y5, Y4 \
	VMOVMSKPS Y4, AX \
	SHLQ $(o/4), AX \
	ORQ AX, R8

#define BORROWBITS(o) \
	VPANDN Y1, Y0, Y4 \
	VPXOR Y0, Y1, Y5 \
	VPANDN Y2, Y5, Y5 \
	VPOR Y4, Y5, Y4 \
	VMOVMSKPS Y4, AX \
	SHLQ $(o/4), AX \
	ORQ AX, R8

#define ADDC(o, HALF) \
	EXPAND(o, Y3, HALF) \
	VMOVDQU o(SI), Y0 \
	VMOVDQU o(DX), Y1 \
	VPADDD Y0, Y1, Y2 \
	VPSUBD Y3, Y2, Y2 \
	CARRYBITS(o) \
	VMOVDQU Y2, o(DI)

#define SUBB(o, HALF) \
	EXPAND(o, Y3, HALF) \
	VMOVDQU o(SI), Y0 \
	VMOVDQU o(DX), Y1 \
	VPSUBD Y1, Y0, Y2 \
	VPADDD Y3, Y2, Y2 \
	BORROWBITS(o) \
	VMOVDQU Y2, o(DI)

#define CARRY(NAME, STEP) \
TEXT NAME(SB), NOSPLIT, $0-40 \
	MOVQ d+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	MOVQ in+24(FP), R9 \
	XORQ R8, R8 \
	HALVES \
	EIGHTHALVES(STEP) \
	MOVQ R8, out+32(FP) \
	VZEROUPPER \
	RET

CARRY(·avxAddcCoU32, ADDC)
CARRY(·avxSubbCoU32, SUBB)

// A sum is less than a term if it went over; a difference, more than what it is of.
#define ADDCO(o) \
	VMOVDQU o(SI), Y0 \
	VPADDD o(DX), Y0, Y2 \
	VPMAXUD Y0, Y2, Y1 \
	VPCMPEQD Y1, Y2, Y1 \
	VMOVDQU Y2, o(DI) \
	VMOVMSKPS Y1, AX \
	SHLQ $8, R8 \
	ORQ AX, R8

#define SUBCO(o) \
	VMOVDQU o(SI), Y0 \
	VPSUBD o(DX), Y0, Y2 \
	VPMINUD Y0, Y2, Y1 \
	VPCMPEQD Y1, Y2, Y1 \
	VMOVDQU Y2, o(DI) \
	VMOVMSKPS Y1, AX \
	SHLQ $8, R8 \
	ORQ AX, R8

#define FIRSTCARRY(NAME, STEP) \
TEXT NAME(SB), NOSPLIT, $0-40 \
	MOVQ d+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	XORQ R8, R8 \
	EIGHTDOWN(STEP) \
	NOTQ R8 \
	MOVQ R8, out+32(FP) \
	VZEROUPPER \
	RET

FIRSTCARRY(·avxAddCoU32, ADDCO)
FIRSTCARRY(·avxSubCoU32, SUBCO)

#define STORE(o) VMOVDQU Y0, o(DI);

// func avxFill(d *Lanes, v uint32)
TEXT ·avxFill(SB), NOSPLIT, $0-12
	MOVQ d+0(FP), DI
	MOVL v+8(FP), AX
	VMOVD AX, X0
	VPBROADCASTD X0, Y0
	EIGHT(STORE)
	VZEROUPPER
	RET

#define CVTI(o) VCVTDQ2PS o(SI), Y0; VMOVUPS Y0, o(DI);

// func avxCvtF32I32(d, a *Lanes)
TEXT ·avxCvtF32I32(SB), NOSPLIT, $0-16
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	EIGHT(CVTI)
	VZEROUPPER
	RET

// func cpuid(leaf, sub uint32) (a, b, c, d uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, a+8(FP)
	MOVL BX, b+12(FP)
	MOVL CX, c+16(FP)
	MOVL DX, d+20(FP)
	RET

// func xgetbv() (a uint32)
TEXT ·xgetbv(SB), NOSPLIT, $0-4
	XORL CX, CX
	XGETBV
	MOVL AX, a+0(FP)
	RET

#define LOADWORD(n) MOVQ n*8(SI)(R8*8), AX; MOVL (AX)(DX*1), BX; MOVL BX, n*4(DI)(R8*4);
#define STOREWORD(n) MOVQ n*8(SI)(R8*8), AX; MOVL n*4(DI)(R8*4), BX; MOVL BX, (AX)(DX*1);

// func gatherWords(d *Lanes, addr *[64]uint64, step uint64)
TEXT ·gatherWords(SB), NOSPLIT, $0-24
	MOVQ d+0(FP), DI
	MOVQ addr+8(FP), SI
	MOVQ step+16(FP), DX
	XORQ R8, R8
gather:
	LOADWORD(0)
	LOADWORD(1)
	LOADWORD(2)
	LOADWORD(3)
	ADDQ $4, R8
	CMPQ R8, $64
	JLT gather
	RET

// func scatterWords(s *Lanes, addr *[64]uint64, step uint64)
TEXT ·scatterWords(SB), NOSPLIT, $0-24
	MOVQ s+0(FP), DI
	MOVQ addr+8(FP), SI
	MOVQ step+16(FP), DX
	XORQ R8, R8
scatter:
	STOREWORD(0)
	STOREWORD(1)
	STOREWORD(2)
	STOREWORD(3)
	ADDQ $4, R8
	CMPQ R8, $64
	JLT scatter
	RET

// Shapes of 64 offsets, see spanOf.
DATA row<>+0(SB)/4, $32
GLOBL row<>(SB), RODATA, $4

#define SPAN(o) \
	VMOVDQU o(SI), Y6 \
	VPMINUD Y6, Y0, Y0 \
	VPMAXUD Y6, Y1, Y1 \
	VPCMPEQD o(DX), Y3, Y4 \
	VPAND Y4, Y5, Y5 \
	VPXOR Y6, Y7, Y8 \
	VPOR Y8, Y9, Y9 \
	VPXOR Y6, Y10, Y8 \
	VPOR Y8, Y11, Y11 \
	VPADDD Y12, Y7, Y7

// func avxSpan(lo, hi *Lanes) (low, high uint32, shape uint8)
TEXT ·avxSpan(SB), NOSPLIT, $0-25
	MOVQ lo+0(FP), SI
	MOVQ hi+8(FP), DX
	VPBROADCASTD (DX), Y3
	VPBROADCASTD (SI), Y10
	VPADDD steps<>(SB), Y10, Y7
	VPBROADCASTD row<>(SB), Y12
	VPCMPEQD Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPCMPEQD Y5, Y5, Y5
	VPXOR Y9, Y9, Y9
	VPXOR Y11, Y11, Y11
	EIGHT(SPAN)
	VMOVMSKPS Y5, AX
	CMPL AX, $255
	JNE scattered
	VPTEST Y9, Y9
	JEQ inrow
	VPTEST Y11, Y11
	JEQ equal
reduce:
	VEXTRACTI128 $1, Y0, X2
	VPMINUD X2, X0, X0
	VPSHUFD $0x4e, X0, X2
	VPMINUD X2, X0, X0
	VPSHUFD $0xb1, X0, X2
	VPMINUD X2, X0, X0
	VMOVD X0, AX
	MOVL AX, low+16(FP)
	VEXTRACTI128 $1, Y1, X2
	VPMAXUD X2, X1, X1
	VPSHUFD $0x4e, X1, X2
	VPMAXUD X2, X1, X1
	VPSHUFD $0xb1, X1, X2
	VPMAXUD X2, X1, X1
	VMOVD X1, AX
	MOVL AX, high+20(FP)
	MOVB $1, shape+24(FP)
	VZEROUPPER
	RET
inrow:
	MOVL (SI), AX
	MOVL AX, low+16(FP)
	ADDL $252, AX
	JCS reduce
	MOVL AX, high+20(FP)
	MOVB $2, shape+24(FP)
	VZEROUPPER
	RET
equal:
	MOVL (SI), AX
	MOVL AX, low+16(FP)
	MOVL AX, high+20(FP)
	MOVB $3, shape+24(FP)
	VZEROUPPER
	RET
scattered:
	MOVL $0, low+16(FP)
	MOVL $0, high+20(FP)
	MOVB $0, shape+24(FP)
	VZEROUPPER
	RET

// Eight lanes whose words follow each other, or are one word, are loaded at once.
DATA steps<>+0(SB)/4, $0
DATA steps<>+4(SB)/4, $4
DATA steps<>+8(SB)/4, $8
DATA steps<>+12(SB)/4, $12
DATA steps<>+16(SB)/4, $16
DATA steps<>+20(SB)/4, $20
DATA steps<>+24(SB)/4, $24
DATA steps<>+28(SB)/4, $28
GLOBL steps<>(SB), RODATA, $32

#define LOADAT(n) MOVL n*4(SI)(R8*1), AX; MOVL (AX)(DX*1), BX; MOVL BX, n*4(DI)(R8*1);
#define STOREAT(n) MOVL n*4(SI)(R8*1), AX; MOVL n*4(DI)(R8*1), BX; MOVL BX, (AX)(DX*1);

// func gatherAt(d, off *Lanes, base uint64)
TEXT ·gatherAt(SB), NOSPLIT, $0-24
	MOVQ d+0(FP), DI
	MOVQ off+8(FP), SI
	MOVQ base+16(FP), DX
	XORQ R8, R8
	CMPB ·hasAVX2(SB), $0
	JEQ gatherat
	VMOVDQU steps<>(SB), Y15
gatherrows:
	VMOVDQU (SI)(R8*1), Y0
	VPBROADCASTD (SI)(R8*1), Y1
	VPADDD Y15, Y1, Y2
	VPCMPEQD Y0, Y2, Y2
	VPCMPEQD Y0, Y1, Y1
	VPMOVMSKB Y2, AX
	CMPL AX, $-1
	JNE gatherone
	MOVL (SI)(R8*1), AX
	VMOVDQU (AX)(DX*1), Y2
	VMOVDQU Y2, (DI)(R8*1)
	ADDQ $32, R8
	CMPQ R8, $256
	JLT gatherrows
	VZEROUPPER
	RET
gatherone:
	VPMOVMSKB Y1, AX
	CMPL AX, $-1
	JNE gatherany
	MOVL (SI)(R8*1), AX
	VPBROADCASTD (AX)(DX*1), Y2
	VMOVDQU Y2, (DI)(R8*1)
	ADDQ $32, R8
	CMPQ R8, $256
	JLT gatherrows
	VZEROUPPER
	RET
gatherany:
	LOADAT(0)
	LOADAT(1)
	LOADAT(2)
	LOADAT(3)
	LOADAT(4)
	LOADAT(5)
	LOADAT(6)
	LOADAT(7)
	ADDQ $32, R8
	CMPQ R8, $256
	JLT gatherrows
	VZEROUPPER
	RET
gatherat:
	LOADAT(0)
	LOADAT(1)
	LOADAT(2)
	LOADAT(3)
	ADDQ $16, R8
	CMPQ R8, $256
	JLT gatherat
	RET

// Four lanes at a time: their words are loaded together and turned round.
#define LOADFOUR(n, X) MOVL n*4(SI)(R8*1), AX; VMOVDQU (AX)(DX*1), X;

// func avxGatherFour(d *[4]Lanes, off *Lanes, base uint64)
TEXT ·avxGatherFour(SB), NOSPLIT, $0-24
	MOVQ d+0(FP), DI
	MOVQ off+8(FP), SI
	MOVQ base+16(FP), DX
	XORQ R8, R8
gatherfour:
	LOADFOUR(0, X0)
	LOADFOUR(1, X1)
	LOADFOUR(2, X2)
	LOADFOUR(3, X3)
	VPUNPCKLDQ X1, X0, X4
	VPUNPCKHDQ X1, X0, X5
	VPUNPCKLDQ X3, X2, X6
	VPUNPCKHDQ X3, X2, X7
	VPUNPCKLQDQ X6, X4, X0
	VPUNPCKHQDQ X6, X4, X1
	VPUNPCKLQDQ X7, X5, X2
	VPUNPCKHQDQ X7, X5, X3
	VMOVDQU X0, (DI)(R8*1)
	VMOVDQU X1, 256(DI)(R8*1)
	VMOVDQU X2, 512(DI)(R8*1)
	VMOVDQU X3, 768(DI)(R8*1)
	ADDQ $16, R8
	CMPQ R8, $256
	JLT gatherfour
	VZEROUPPER
	RET

#define LOADTWO(n, X) MOVL n*4(SI)(R8*1), AX; VMOVQ (AX)(DX*1), X;

// func avxGatherTwo(d *Pair, off *Lanes, base uint64)
TEXT ·avxGatherTwo(SB), NOSPLIT, $0-24
	MOVQ d+0(FP), DI
	MOVQ off+8(FP), SI
	MOVQ base+16(FP), DX
	XORQ R8, R8
gathertwo:
	LOADTWO(0, X0)
	LOADTWO(1, X1)
	LOADTWO(2, X2)
	LOADTWO(3, X3)
	VPUNPCKLDQ X1, X0, X4
	VPUNPCKLDQ X3, X2, X6
	VPUNPCKLQDQ X6, X4, X0
	VPUNPCKHQDQ X6, X4, X1
	VMOVDQU X0, (DI)(R8*1)
	VMOVDQU X1, 256(DI)(R8*1)
	ADDQ $16, R8
	CMPQ R8, $256
	JLT gathertwo
	VZEROUPPER
	RET

// func scatterAt(s, off *Lanes, base uint64)
TEXT ·scatterAt(SB), NOSPLIT, $0-24
	MOVQ s+0(FP), DI
	MOVQ off+8(FP), SI
	MOVQ base+16(FP), DX
	XORQ R8, R8
	CMPB ·hasAVX2(SB), $0
	JEQ scatterat
	VMOVDQU steps<>(SB), Y15
scatterrows:
	VPBROADCASTD (SI)(R8*1), Y1
	VPADDD Y15, Y1, Y2
	VPCMPEQD (SI)(R8*1), Y2, Y2
	VPMOVMSKB Y2, AX
	CMPL AX, $-1
	JNE scatterany
	MOVL (SI)(R8*1), AX
	VMOVDQU (DI)(R8*1), Y2
	VMOVDQU Y2, (AX)(DX*1)
	ADDQ $32, R8
	CMPQ R8, $256
	JLT scatterrows
	VZEROUPPER
	RET
scatterany:
	STOREAT(0)
	STOREAT(1)
	STOREAT(2)
	STOREAT(3)
	STOREAT(4)
	STOREAT(5)
	STOREAT(6)
	STOREAT(7)
	ADDQ $32, R8
	CMPQ R8, $256
	JLT scatterrows
	VZEROUPPER
	RET
scatterat:
	STOREAT(0)
	STOREAT(1)
	STOREAT(2)
	STOREAT(3)
	ADDQ $16, R8
	CMPQ R8, $256
	JLT scatterat
	RET

#define NANS(o) VMOVUPS o(SI), Y0; VCMPPS $0x03, o(DX), Y0, Y1; VPOR Y1, Y5, Y5;

// ORDERED turns the bits of a number into an integer with its order, and back.
#define ORDERED(Y, T) VPSRAD $31, Y, T; VPSRLD $1, T, T; VPXOR T, Y, Y;

#define MINF(o) VMOVDQU o(SI), Y0; VMOVDQU o(DX), Y1; ORDERED(Y0, Y2) ORDERED(Y1, Y3) VPMINSD Y1, Y0, Y0; ORDERED(Y0, Y2) VMOVDQU Y0, o(DI);
#define MAXF(o) VMOVDQU o(SI), Y0; VMOVDQU o(DX), Y1; ORDERED(Y0, Y2) ORDERED(Y1, Y3) VPMAXSD Y1, Y0, Y0; ORDERED(Y0, Y2) VMOVDQU Y0, o(DI);

// EXTREME writes nothing and returns false where a NaN is among the sources.
#define EXTREME(NAME, STEP) \
TEXT NAME(SB), NOSPLIT, $0-25 \
	MOVQ d+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	VPXOR Y5, Y5, Y5 \
	EIGHT(NANS) \
	VMOVMSKPS Y5, AX \
	TESTL AX, AX \
	SETEQ ok+24(FP) \
	VZEROUPPER \
	JEQ 2(PC) \
	RET \
	EIGHT(STEP) \
	VZEROUPPER \
	RET

EXTREME(·minNumbers, MINF)
EXTREME(·maxNumbers, MAXF)
