#include "textflag.h"
#include "kernel_amd64.h"

// Whole-wave kernels with AVX2 and FMA: 64 lanes are eight vectors of eight.
// Every kernel reads a vector of all its sources before it writes that vector
// of its destination, so destinations may be sources.

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

// Of two NaNs the one in the second operand of VFMADD213 counts, so that is the first source.
#define FMA(o) VMOVUPS o(DX), Y0; VMOVUPS o(SI), Y1; VFMADD213PS o(CX), Y1, Y0; VMOVUPS Y0, o(DI);
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

#define OPUNARY(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, SI) \
	LANES(STEP, end) \
	NEXTOP

#define OPBINARY(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, SI) \
	AT(2, DX) \
	LANES(STEP, end) \
	NEXTOP

#define OPTERNARY(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, SI) \
	AT(2, DX) \
	AT(3, CX) \
	LANES(STEP, end) \
	NEXTOP

#define SHIFTCOUNTS VPCMPEQD Y15, Y15, Y15; VPSRLD $27, Y15, Y15;

#define OPSHIFT(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, SI) \
	AT(2, DX) \
	SHIFTCOUNTS \
	LANES(STEP, end) \
	NEXTOP

#define OPSHIFTERNARY(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, SI) \
	AT(2, DX) \
	AT(3, CX) \
	SHIFTCOUNTS \
	LANES(STEP, end) \
	NEXTOP

#define MOVE(o) VMOVDQU o(SI), Y0; VMOVDQU Y0, o(DI);

FORMS(OPUNARY, ·opMove, ·nearMove, ·mixedMove, MOVE)
FORMS(OPUNARY, ·opCvtF32I32, ·nearCvtF32I32, ·mixedCvtF32I32, CVTI)
SPREADABLE(OPBINARY, ·opAddU32, ·nearAddU32, ·mixedAddU32, ·spreadAddU32, ADDU)
SPREADABLE(OPBINARY, ·opSubU32, ·nearSubU32, ·mixedSubU32, ·spreadSubU32, SUBU)
SPREADABLE(OPBINARY, ·opSubrevU32, ·nearSubrevU32, ·mixedSubrevU32, ·spreadSubrevU32, SUBREVU)
SPREADABLE(OPBINARY, ·opAndB32, ·nearAndB32, ·mixedAndB32, ·spreadAndB32, ANDB)
SPREADABLE(OPBINARY, ·opOrB32, ·nearOrB32, ·mixedOrB32, ·spreadOrB32, ORB)
SPREADABLE(OPBINARY, ·opXorB32, ·nearXorB32, ·mixedXorB32, ·spreadXorB32, XORB)
SPREADABLE(OPBINARY, ·opMulLoU32, ·nearMulLoU32, ·mixedMulLoU32, ·spreadMulLoU32, MULLO)
FORMS(OPBINARY, ·opMinI32, ·nearMinI32, ·mixedMinI32, MINI)
FORMS(OPBINARY, ·opMaxI32, ·nearMaxI32, ·mixedMaxI32, MAXI)
FORMS(OPBINARY, ·opMinU32, ·nearMinU32, ·mixedMinU32, MINU)
FORMS(OPBINARY, ·opMaxU32, ·nearMaxU32, ·mixedMaxU32, MAXU)
SPREADABLE(OPBINARY, ·opAddF32, ·nearAddF32, ·mixedAddF32, ·spreadAddF32, ADDF)
SPREADABLE(OPBINARY, ·opSubF32, ·nearSubF32, ·mixedSubF32, ·spreadSubF32, SUBF)
SPREADABLE(OPBINARY, ·opSubrevF32, ·nearSubrevF32, ·mixedSubrevF32, ·spreadSubrevF32, SUBREVF)
SPREADABLE(OPBINARY, ·opMulF32, ·nearMulF32, ·mixedMulF32, ·spreadMulF32, MULF)
SPREADABLE(OPSHIFT, ·opLshlrevB32, ·nearLshlrevB32, ·mixedLshlrevB32, ·spreadLshlrevB32, LSHL)
SPREADABLE(OPSHIFT, ·opLshrrevB32, ·nearLshrrevB32, ·mixedLshrrevB32, ·spreadLshrrevB32, LSHR)
SPREADABLE(OPSHIFT, ·opAshrrevI32, ·nearAshrrevI32, ·mixedAshrrevI32, ·spreadAshrrevI32, ASHR)
SPREADABLE(OPTERNARY, ·opFmaF32, ·nearFmaF32, ·mixedFmaF32, ·spreadFmaF32, FMA)
SPREADABLE(OPSHIFTERNARY, ·opLshlAddU32, ·nearLshlAddU32, ·mixedLshlAddU32, ·spreadLshlAddU32, LSHLADD)
FORMS(OPSHIFTERNARY, ·opLshlOrB32, ·nearLshlOrB32, ·mixedLshlOrB32, LSHLOR)
FORMS(OPSHIFTERNARY, ·opAddLshlU32, ·nearAddLshlU32, ·mixedAddLshlU32, ADDLSHL)
SPREADABLE(OPTERNARY, ·opAdd3U32, ·nearAdd3U32, ·mixedAdd3U32, ·spreadAdd3U32, ADD3)
SPREADABLE(OPTERNARY, ·opAndOrB32, ·nearAndOrB32, ·mixedAndOrB32, ·spreadAndOrB32, ANDOR)
FORMS(OPTERNARY, ·opOr3B32, ·nearOr3B32, ·mixedOr3B32, OR3)

// A test gives a bit for each lane, inverted where the op has ones.
#define OPTEST(NAME, STEP, AT, FIRST) \
OP(NAME) \
	PLACE(0, DI) \
	FIRST(1, SI) \
	AT(2, DX) \
	XORL R8, R8 \
	VPCMPEQD Y15, Y15, Y15 \
	VPSLLD $31, Y15, Y15 \
	LANESDOWN(STEP, low) \
	XORQ 40(R12), R8 \
	PUTMASK(R8, DI) \
	NEXTOP

SPREADABLE(OPTEST, ·opEqual32, ·nearEqual32, ·mixedEqual32, ·spreadEqual32, EQI)
SPREADABLE(OPTEST, ·opLessI32, ·nearLessI32, ·mixedLessI32, ·spreadLessI32, LTI)
SPREADABLE(OPTEST, ·opLessU32, ·nearLessU32, ·mixedLessU32, ·spreadLessU32, LTU)
SPREADABLE(OPTEST, ·opLessF32, ·nearLessF32, ·mixedLessF32, ·spreadLessF32, LTF)
SPREADABLE(OPTEST, ·opAtMostF32, ·nearAtMostF32, ·mixedAtMostF32, ·spreadAtMostF32, LEF)
SPREADABLE(OPTEST, ·opEqualF32, ·nearEqualF32, ·mixedEqualF32, ·spreadEqualF32, EQF)
SPREADABLE(OPTEST, ·opUnequalF32, ·nearUnequalF32, ·mixedUnequalF32, ·spreadUnequalF32, NEF)
FORMS(OPTEST, ·opOrderedF32, ·nearOrderedF32, ·mixedOrderedF32, ORDF)

OP(·opFill)
	PLACE(0, DI)
	PLACE(1, SI)
	VPBROADCASTD (SI), Y0
	LANES(STORE, end)
	NEXTOP

// EXTREME's ops leave NaNs to the instruction's step.
#define OPEXTREME(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, SI) \
	AT(2, DX) \
	VPXOR Y5, Y5, Y5 \
	LANES(NANS, looked) \
	VMOVMSKPS Y5, AX \
	TESTL AX, AX \
	JEQ 2(PC) \
	DECLINE \
	LANES(STEP, end) \
	NEXTOP

FORMS(OPEXTREME, ·opMinF32, ·nearMinF32, ·mixedMinF32, MINF)
FORMS(OPEXTREME, ·opMaxF32, ·nearMaxF32, ·mixedMaxF32, MAXF)

// opAlter clears bits of all lanes, those of its place 2, and then flips others, those of its place 3.
#define ALTERED(o) VPANDN o(SI), Y1, Y0; VPXOR Y2, Y0, Y0; VMOVDQU Y0, o(DI);

OP(·opAlter)
	PLACE(0, DI)
	PLACE(1, SI)
	VPBROADCASTD 32(R12), Y1
	VPBROADCASTD 40(R12), Y2
	LANES(ALTERED, end)
	NEXTOP
