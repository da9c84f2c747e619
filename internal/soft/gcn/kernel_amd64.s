#include "textflag.h"

// Whole-wave kernels with AVX2 and FMA: 64 lanes are eight vectors of eight.
// Every kernel reads a vector of all its sources before it writes that vector
// of its destination, so destinations may be sources.

DATA bits<>+0(SB)/4, $1
DATA bits<>+4(SB)/4, $2
DATA bits<>+8(SB)/4, $4
DATA bits<>+12(SB)/4, $8
DATA bits<>+16(SB)/4, $16
DATA bits<>+20(SB)/4, $32
DATA bits<>+24(SB)/4, $64
DATA bits<>+28(SB)/4, $128
GLOBL bits<>(SB), RODATA, $32

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

// EXPAND makes of the low eight bits of R9 a vector of masks, and drops them.
#define EXPAND(Y) VMOVD R9, X3; VPBROADCASTD X3, Y; VPAND Y14, Y, Y; VPCMPEQD Y14, Y, Y; SHRQ $8, R9;

#define SELECT(o) EXPAND(Y3) VMOVDQU o(SI), Y0; VMOVDQU o(DX), Y1; VPBLENDVB Y3, Y1, Y0, Y0; VMOVDQU Y0, o(DI);

// func avxSelect(d, a, b *Lanes, in uint64)
TEXT ·avxSelect(SB), NOSPLIT, $0-32
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ in+24(FP), R9
	VMOVDQU bits<>(SB), Y14
	EIGHT(SELECT)
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

#define ADDC(o) \
	EXPAND(Y3) \
	VMOVDQU o(SI), Y0 \
	VMOVDQU o(DX), Y1 \
	VPADDD Y0, Y1, Y2 \
	VPSUBD Y3, Y2, Y2 \
	CARRYBITS(o) \
	VMOVDQU Y2, o(DI)

#define SUBB(o) \
	EXPAND(Y3) \
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
	VMOVDQU bits<>(SB), Y14 \
	STEP(0) \
	STEP(32) \
	STEP(64) \
	STEP(96) \
	STEP(128) \
	STEP(160) \
	STEP(192) \
	STEP(224) \
	MOVQ R8, out+32(FP) \
	VZEROUPPER \
	RET

CARRY(·avxAddcCoU32, ADDC)
CARRY(·avxSubbCoU32, SUBB)

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

#define RANGE(o) \
	VPMINUD o(SI), Y0, Y0 \
	VPMAXUD o(SI), Y1, Y1 \
	VPCMPEQD o(DX), Y3, Y4 \
	VPAND Y4, Y5, Y5

// func avxRange(lo, hi *Lanes) (low, high uint32, same bool)
TEXT ·avxRange(SB), NOSPLIT, $0-25
	MOVQ lo+0(FP), SI
	MOVQ hi+8(FP), DX
	VPBROADCASTD (DX), Y3
	VPCMPEQD Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPCMPEQD Y5, Y5, Y5
	EIGHT(RANGE)
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
	VMOVMSKPS Y5, AX
	CMPL AX, $255
	SETEQ same+24(FP)
	VZEROUPPER
	RET

#define LOADAT(n) MOVL n*4(SI)(R8*4), AX; MOVL (AX)(DX*1), BX; MOVL BX, n*4(DI)(R8*4);
#define STOREAT(n) MOVL n*4(SI)(R8*4), AX; MOVL n*4(DI)(R8*4), BX; MOVL BX, (AX)(DX*1);

// func gatherAt(d, off *Lanes, base uint64)
TEXT ·gatherAt(SB), NOSPLIT, $0-24
	MOVQ d+0(FP), DI
	MOVQ off+8(FP), SI
	MOVQ base+16(FP), DX
	XORQ R8, R8
gatherat:
	LOADAT(0)
	LOADAT(1)
	LOADAT(2)
	LOADAT(3)
	ADDQ $4, R8
	CMPQ R8, $64
	JLT gatherat
	RET

// func scatterAt(s, off *Lanes, base uint64)
TEXT ·scatterAt(SB), NOSPLIT, $0-24
	MOVQ s+0(FP), DI
	MOVQ off+8(FP), SI
	MOVQ base+16(FP), DX
	XORQ R8, R8
scatterat:
	STOREAT(0)
	STOREAT(1)
	STOREAT(2)
	STOREAT(3)
	ADDQ $4, R8
	CMPQ R8, $64
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
