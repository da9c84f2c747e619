#include "textflag.h"
#include "kernel_amd64.h"

// Kernels that take or make a mask with a bit for each lane: selection and carries.

// Each lane of half a wave with its bit.
DATA bits<>+0(SB)/8, $0x0000000200000001
DATA bits<>+8(SB)/8, $0x0000000800000004
DATA bits<>+16(SB)/8, $0x0000002000000010
DATA bits<>+24(SB)/8, $0x0000008000000040
DATA bits<>+32(SB)/8, $0x0000020000000100
DATA bits<>+40(SB)/8, $0x0000080000000400
DATA bits<>+48(SB)/8, $0x0000200000001000
DATA bits<>+56(SB)/8, $0x0000800000004000
DATA bits<>+64(SB)/8, $0x0002000000010000
DATA bits<>+72(SB)/8, $0x0008000000040000
DATA bits<>+80(SB)/8, $0x0020000000100000
DATA bits<>+88(SB)/8, $0x0080000000400000
DATA bits<>+96(SB)/8, $0x0200000001000000
DATA bits<>+104(SB)/8, $0x0800000004000000
DATA bits<>+112(SB)/8, $0x2000000010000000
DATA bits<>+120(SB)/8, $0x8000000040000000
GLOBL bits<>(SB), RODATA, $128

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

#define LANESOFHALVES(STEP, END) \
	STEP(0, Y14) \
	STEP(32, Y14) \
	STEP(64, Y14) \
	STEP(96, Y14) \
	WHOLEWAVE \
	JNE END \
	STEP(128, Y13) \
	STEP(160, Y13) \
	STEP(192, Y13) \
	STEP(224, Y13) \
END:

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

#define OPSELECT(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, SI) \
	AT(2, DX) \
	PLACE(3, CX) \
	TAKEMASK(CX, R9) \
	HALVES \
	LANESOFHALVES(STEP, end) \
	NEXTOP

SPREADABLE(OPSELECT, ·opSelect, ·nearSelect, ·mixedSelect, ·spreadSelect, SELECT)

#define OPCARRY(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, SI) \
	AT(2, DX) \
	PLACE(3, CX) \
	PLACE(4, R10) \
	TAKEMASK(CX, R9) \
	XORL R8, R8 \
	HALVES \
	LANESOFHALVES(STEP, end) \
	PUTMASK(R8, R10) \
	NEXTOP

SPREADABLE(OPCARRY, ·opAddcCoU32, ·nearAddcCoU32, ·mixedAddcCoU32, ·spreadAddcCoU32, ADDC)
SPREADABLE(OPCARRY, ·opSubbCoU32, ·nearSubbCoU32, ·mixedSubbCoU32, ·spreadSubbCoU32, SUBB)

#define OPFIRSTCARRY(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, SI) \
	AT(2, DX) \
	PLACE(4, R10) \
	XORL R8, R8 \
	LANESDOWN(STEP, low) \
	NOTQ R8 \
	PUTMASK(R8, R10) \
	NEXTOP

SPREADABLE(OPFIRSTCARRY, ·opAddCoU32, ·nearAddCoU32, ·mixedAddCoU32, ·spreadAddCoU32, ADDCO)
SPREADABLE(OPFIRSTCARRY, ·opSubCoU32, ·nearSubCoU32, ·mixedSubCoU32, ·spreadSubCoU32, SUBCO)
