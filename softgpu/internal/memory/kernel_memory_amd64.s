#include "textflag.h"

// Kernels that move words between registers and memory, and that look at addresses.

#define LOADWORD(n) MOVQ n*8(SI)(R8*8), AX; MOVL (AX)(DX*1), BX; MOVL BX, n*4(DI)(R8*4);
#define STOREWORD(n) MOVQ n*8(SI)(R8*8), AX; MOVL n*4(DI)(R8*4), BX; MOVL BX, (AX)(DX*1);

// func GatherWords(d *Lanes, addr *[64]uint64, step uint64, lanes int)
TEXT ·GatherWords(SB), NOSPLIT, $0-32
	MOVQ d+0(FP), DI
	MOVQ addr+8(FP), SI
	MOVQ step+16(FP), DX
	MOVQ lanes+24(FP), R9
	XORQ R8, R8
gather:
	LOADWORD(0)
	LOADWORD(1)
	LOADWORD(2)
	LOADWORD(3)
	ADDQ $4, R8
	CMPQ R8, R9
	JLT gather
	RET

// func ScatterWords(s *Lanes, addr *[64]uint64, step uint64, lanes int)
TEXT ·ScatterWords(SB), NOSPLIT, $0-32
	MOVQ s+0(FP), DI
	MOVQ addr+8(FP), SI
	MOVQ step+16(FP), DX
	MOVQ lanes+24(FP), R9
	XORQ R8, R8
scatter:
	STOREWORD(0)
	STOREWORD(1)
	STOREWORD(2)
	STOREWORD(3)
	ADDQ $4, R8
	CMPQ R8, R9
	JLT scatter
	RET

// Shapes of offsets of 64 or 32 lanes, see SpanOf.
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

// func avxSpan(lo, hi *Lanes, lanes int) (low, high uint32, shape uint8)
TEXT ·avxSpan(SB), NOSPLIT, $0-33
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
	SPAN(0)
	SPAN(32)
	SPAN(64)
	SPAN(96)
	MOVQ lanes+16(FP), CX
	CMPQ CX, $32
	JEQ spanned
	SPAN(128)
	SPAN(160)
	SPAN(192)
	SPAN(224)
spanned:
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
	MOVL AX, low+24(FP)
	VEXTRACTI128 $1, Y1, X2
	VPMAXUD X2, X1, X1
	VPSHUFD $0x4e, X1, X2
	VPMAXUD X2, X1, X1
	VPSHUFD $0xb1, X1, X2
	VPMAXUD X2, X1, X1
	VMOVD X1, AX
	MOVL AX, high+28(FP)
	MOVB $1, shape+32(FP)
	VZEROUPPER
	RET
inrow:
	MOVL (SI), AX
	MOVL AX, low+24(FP)
	LEAL -4(CX*4), CX
	ADDL CX, AX
	JCS reduce
	MOVL AX, high+28(FP)
	MOVB $2, shape+32(FP)
	VZEROUPPER
	RET
equal:
	MOVL (SI), AX
	MOVL AX, low+24(FP)
	MOVL AX, high+28(FP)
	MOVB $3, shape+32(FP)
	VZEROUPPER
	RET
scattered:
	MOVL $0, low+24(FP)
	MOVL $0, high+28(FP)
	MOVB $0, shape+32(FP)
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

// func GatherAt(d, off *Lanes, base uint64, lanes int)
TEXT ·GatherAt(SB), NOSPLIT, $0-32
	MOVQ d+0(FP), DI
	MOVQ off+8(FP), SI
	MOVQ base+16(FP), DX
	MOVQ lanes+24(FP), R9
	SHLQ $2, R9
	XORQ R8, R8
	CMPB ·vectors(SB), $0
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
	CMPL AX, $-29 // the row goes over the end of 32 bits
	JHI gatherany
	VMOVDQU (AX)(DX*1), Y2
	VMOVDQU Y2, (DI)(R8*1)
	ADDQ $32, R8
	CMPQ R8, R9
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
	CMPQ R8, R9
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
	CMPQ R8, R9
	JLT gatherrows
	VZEROUPPER
	RET
gatherat:
	LOADAT(0)
	LOADAT(1)
	LOADAT(2)
	LOADAT(3)
	ADDQ $16, R8
	CMPQ R8, R9
	JLT gatherat
	RET

// Four lanes at a time, the last ones first: their words are loaded together and turned round.
#define LOADFOUR(n, X) MOVL n*4(SI)(R8*1), AX; VMOVDQU (AX)(DX*1), X;

// func avxGatherFour(d *[4]Lanes, off *Lanes, base uint64, lanes int)
TEXT ·avxGatherFour(SB), NOSPLIT, $0-32
	MOVQ d+0(FP), DI
	MOVQ off+8(FP), SI
	MOVQ base+16(FP), DX
	MOVQ lanes+24(FP), R9
	MOVQ R9, R8
	SHLQ $2, R8
gatherfour:
	SUBQ $16, R8
	LOADFOUR(3, X3)
	LOADFOUR(2, X2)
	LOADFOUR(1, X1)
	LOADFOUR(0, X0)
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
	TESTQ R8, R8
	JNE gatherfour
	VZEROUPPER
	RET

#define LOADTWO(n, X) MOVL n*4(SI)(R8*1), AX; VMOVQ (AX)(DX*1), X;

// func avxGatherTwo(d *[2]Lanes, off *Lanes, base uint64, lanes int)
TEXT ·avxGatherTwo(SB), NOSPLIT, $0-32
	MOVQ d+0(FP), DI
	MOVQ off+8(FP), SI
	MOVQ base+16(FP), DX
	MOVQ lanes+24(FP), R9
	MOVQ R9, R8
	SHLQ $2, R8
gathertwo:
	SUBQ $16, R8
	LOADTWO(3, X3)
	LOADTWO(2, X2)
	LOADTWO(1, X1)
	LOADTWO(0, X0)
	VPUNPCKLDQ X1, X0, X4
	VPUNPCKLDQ X3, X2, X6
	VPUNPCKLQDQ X6, X4, X0
	VPUNPCKHQDQ X6, X4, X1
	VMOVDQU X0, (DI)(R8*1)
	VMOVDQU X1, 256(DI)(R8*1)
	TESTQ R8, R8
	JNE gathertwo
	VZEROUPPER
	RET

// func ScatterAt(s, off *Lanes, base uint64, lanes int)
TEXT ·ScatterAt(SB), NOSPLIT, $0-32
	MOVQ s+0(FP), DI
	MOVQ off+8(FP), SI
	MOVQ base+16(FP), DX
	MOVQ lanes+24(FP), R9
	SHLQ $2, R9
	XORQ R8, R8
	CMPB ·vectors(SB), $0
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
	CMPL AX, $-29
	JHI scatterany
	VMOVDQU (DI)(R8*1), Y2
	VMOVDQU Y2, (AX)(DX*1)
	ADDQ $32, R8
	CMPQ R8, R9
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
	CMPQ R8, R9
	JLT scatterrows
	VZEROUPPER
	RET
scatterat:
	STOREAT(0)
	STOREAT(1)
	STOREAT(2)
	STOREAT(3)
	ADDQ $16, R8
	CMPQ R8, R9
	JLT scatterat
	RET
