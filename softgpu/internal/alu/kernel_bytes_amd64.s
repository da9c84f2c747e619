#include "textflag.h"
#include "kernel_amd64.h"

// Whole-wave kernels on parts of 32-bit lanes: dot products, bytes, packing.

#define BINARY(NAME, PREPARE, ALL) \
TEXT NAME(SB), NOSPLIT, $0-24 \
	MOVQ d+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	PREPARE \
	ALL \
	VZEROUPPER \
	RET

#define TERNARY(NAME, PREPARE, STEP) \
TEXT NAME(SB), NOSPLIT, $0-32 \
	MOVQ d+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	MOVQ c+24(FP), CX \
	PREPARE \
	EIGHT(STEP) \
	VZEROUPPER \
	RET

#define NOTHING

DATA parts<>+0x00(SB)/4, $0x00ff00ff
DATA parts<>+0x04(SB)/4, $0x0f0f0f0f
DATA parts<>+0x08(SB)/4, $0x01010101
DATA parts<>+0x0c(SB)/4, $0x00010001
DATA parts<>+0x10(SB)/4, $0x0000ffff
DATA parts<>+0x14(SB)/4, $0x00007fff
DATA parts<>+0x18(SB)/4, $0x00400000
DATA parts<>+0x1c(SB)/4, $0x00000001
DATA parts<>+0x20(SB)/4, $0xf8f8f8f8
DATA parts<>+0x24(SB)/4, $0x0c0c0c0c
DATA parts<>+0x28(SB)/4, $0x03030303
DATA parts<>+0x30(SB)/8, $0x0404040400000000
DATA parts<>+0x38(SB)/8, $0x0c0c0c0c08080808
GLOBL parts<>(SB), RODATA, $0x40

// Sums are modulo 2**32.
#define ADDTO(o) VPADDD o(CX), Y0, Y0; VMOVDQU Y0, o(DI);

#define DOT2I(o) VMOVDQU o(SI), Y0; VPMADDWD o(DX), Y0, Y0; ADDTO(o)

#define DOT2U(o) \
	VMOVDQU o(SI), Y0 \
	VMOVDQU o(DX), Y1 \
	VPAND Y15, Y0, Y2 \
	VPAND Y15, Y1, Y3 \
	VPSRLD $16, Y0, Y0 \
	VPSRLD $16, Y1, Y1 \
	VPMULLD Y3, Y2, Y2 \
	VPMULLD Y1, Y0, Y0 \
	VPADDD Y2, Y0, Y0 \
	ADDTO(o)

// Bytes become words: those at even places in Y2 and Y3, the others in Y0 and Y1.
#define PRODUCTS \
	VPMADDWD Y3, Y2, Y2 \
	VPMADDWD Y1, Y0, Y0 \
	VPADDD Y2, Y0, Y0

#define EVENI VPSLLW $8, Y0, Y2; VPSRAW $8, Y2, Y2; VPSLLW $8, Y1, Y3; VPSRAW $8, Y3, Y3;

#define DOT4I(o) \
	VMOVDQU o(SI), Y0 \
	VMOVDQU o(DX), Y1 \
	EVENI \
	VPSRAW $8, Y0, Y0 \
	VPSRAW $8, Y1, Y1 \
	PRODUCTS \
	ADDTO(o)

#define DOT4U(o) \
	VMOVDQU o(SI), Y0 \
	VMOVDQU o(DX), Y1 \
	VPAND Y15, Y0, Y2 \
	VPAND Y15, Y1, Y3 \
	VPSRLW $8, Y0, Y0 \
	VPSRLW $8, Y1, Y1 \
	PRODUCTS \
	ADDTO(o)

// Four bits of each word at a time.
#define NIBBLEI(BY) \
	VPSLLW BY, Y4, Y2 \
	VPSRAW $12, Y2, Y2 \
	VPSLLW BY, Y5, Y3 \
	VPSRAW $12, Y3, Y3 \
	VPMADDWD Y3, Y2, Y2 \
	VPADDD Y2, Y0, Y0

#define NIBBLEU(BY) \
	VPSLLW BY, Y4, Y2 \
	VPSRLW $12, Y2, Y2 \
	VPSLLW BY, Y5, Y3 \
	VPSRLW $12, Y3, Y3 \
	VPMADDWD Y3, Y2, Y2 \
	VPADDD Y2, Y0, Y0

#define DOT8(o, NIBBLE) \
	VMOVDQU o(SI), Y4 \
	VMOVDQU o(DX), Y5 \
	VMOVDQU o(CX), Y0 \
	NIBBLE($0) \
	NIBBLE($4) \
	NIBBLE($8) \
	NIBBLE($12) \
	VMOVDQU Y0, o(DI)

#define DOT8I(o) DOT8(o, NIBBLEI)
#define DOT8U(o) DOT8(o, NIBBLEU)

#define LOWHALVES VPBROADCASTD parts<>+0x10(SB), Y15
#define LOWBYTES VPBROADCASTD parts<>+0x00(SB), Y15

TERNARY(·avxDot2I32, NOTHING, DOT2I)
TERNARY(·avxDot2U32, LOWHALVES, DOT2U)
TERNARY(·avxDot4I32, NOTHING, DOT4I)
TERNARY(·avxDot4U32, LOWBYTES, DOT4U)
TERNARY(·avxDot8I32, NOTHING, DOT8I)
TERNARY(·avxDot8U32, NOTHING, DOT8U)

// The differences of bytes in Y0 are added up by products with ones.
#define DIFFERENCES(o) \
	VMOVDQU o(SI), Y0 \
	VMOVDQU o(DX), Y1 \
	VPMAXUB Y1, Y0, Y2 \
	VPMINUB Y1, Y0, Y0 \
	VPSUBB Y0, Y2, Y0

#define BYTESUM VPMADDUBSW Y15, Y0, Y0; VPMADDWD Y14, Y0, Y0;

#define SAD(o) DIFFERENCES(o); BYTESUM; ADDTO(o)
#define SADHI(o) DIFFERENCES(o); BYTESUM; VPSLLD $16, Y0, Y0; ADDTO(o)
#define MSAD(o) DIFFERENCES(o); VPCMPEQB Y13, Y1, Y1; VPANDN Y0, Y1, Y0; BYTESUM; ADDTO(o)
#define SAD16(o) \
	VMOVDQU o(SI), Y0 \
	VMOVDQU o(DX), Y1 \
	VPMAXUW Y1, Y0, Y2 \
	VPMINUW Y1, Y0, Y0 \
	VPSUBW Y0, Y2, Y0 \
	VPSRLD $16, Y0, Y1 \
	VPAND Y15, Y0, Y0 \
	VPADDD Y1, Y0, Y0 \
	ADDTO(o)

// The average rounds up: one less where the sum is odd and c has no bit.
#define LERP(o) \
	VMOVDQU o(SI), Y0 \
	VMOVDQU o(DX), Y1 \
	VPXOR Y1, Y0, Y2 \
	VPAVGB Y1, Y0, Y0 \
	VMOVDQU o(CX), Y1 \
	VPANDN Y2, Y1, Y2 \
	VPAND Y15, Y2, Y2 \
	VPSUBB Y2, Y0, Y0 \
	VMOVDQU Y0, o(DI)

#define BYTEONES VPBROADCASTD parts<>+0x08(SB), Y15; VPBROADCASTD parts<>+0x0c(SB), Y14; VPXOR Y13, Y13, Y13;

TERNARY(·avxSadU8, BYTEONES, SAD)
TERNARY(·avxSadHiU8, BYTEONES, SADHI)
TERNARY(·avxMsadU8, BYTEONES, MSAD)
TERNARY(·avxSadU16, LOWHALVES, SAD16)
TERNARY(·avxLerpU8, BYTEONES, LERP)

// Selectors of bytes, and of zeros; with any other, nothing is written and the result is false.
#define OTHERS(o) \
	VMOVDQU o(CX), Y0 \
	VPAND Y15, Y0, Y1 \
	VPCMPEQB Y13, Y1, Y1 \
	VPCMPEQB Y14, Y0, Y0 \
	VPOR Y1, Y0, Y0 \
	VPAND Y0, Y12, Y12

// A selector's bit 2 comes to where blends look.
#define PERM(o) \
	VMOVDQU o(CX), Y0 \
	VPAND Y11, Y0, Y1 \
	VPOR Y10, Y1, Y1 \
	VMOVDQU o(SI), Y2 \
	VMOVDQU o(DX), Y3 \
	VPSHUFB Y1, Y2, Y2 \
	VPSHUFB Y1, Y3, Y3 \
	VPSLLD $5, Y0, Y4 \
	VPBLENDVB Y4, Y2, Y3, Y3 \
	VPCMPEQB Y14, Y0, Y0 \
	VPANDN Y3, Y0, Y0 \
	VMOVDQU Y0, o(DI)

// func avxPermB32(d, a, b, c *Lanes) (ok bool)
TEXT ·avxPermB32(SB), NOSPLIT, $0-33
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ c+24(FP), CX
	VPBROADCASTD parts<>+0x20(SB), Y15
	VPBROADCASTD parts<>+0x24(SB), Y14
	VPBROADCASTD parts<>+0x28(SB), Y11
	VBROADCASTI128 parts<>+0x30(SB), Y10
	VPXOR Y13, Y13, Y13
	VPCMPEQD Y12, Y12, Y12
	EIGHT(OTHERS)
	VPMOVMSKB Y12, AX
	CMPL AX, $-1
	SETEQ ok+32(FP)
	JNE done
	EIGHT(PERM)
done:
	VZEROUPPER
	RET

#define PACKH(o, HOW) \
	VMOVUPS o(SI), Y0 \
	VMOVUPS o(DX), Y1 \
	VCVTPS2PH HOW, Y0, X0 \
	VCVTPS2PH HOW, Y1, X1 \
	VPUNPCKLWD X1, X0, X2 \
	VPUNPCKHWD X1, X0, X3 \
	VMOVDQU X2, o(DI) \
	VMOVDQU X3, o+16(DI)

#define PACKNEAR(o) PACKH(o, $0)
#define PACKZERO(o) PACKH(o, $3)

// TOBF rounds Y to the upper half of each lane; NaNs become quiet.
#define TOBF(Y, T, N) \
	VCMPPS $3, Y, Y, N \
	VPSRLD $16, Y, T \
	VPAND Y14, T, T \
	VPADDD Y15, T, T \
	VPADDD Y, T, T \
	VPOR Y13, Y, Y \
	VBLENDVPS N, Y, T, Y

#define PACKBF(o) \
	VMOVUPS o(SI), Y0 \
	VMOVUPS o(DX), Y1 \
	TOBF(Y0, Y2, Y3) \
	TOBF(Y1, Y4, Y5) \
	VPSRLD $16, Y0, Y0 \
	VPBLENDW $0xaa, Y1, Y0, Y0 \
	VMOVDQU Y0, o(DI)

#define BFLOATS VPBROADCASTD parts<>+0x14(SB), Y15; VPBROADCASTD parts<>+0x1c(SB), Y14; VPBROADCASTD parts<>+0x18(SB), Y13;

BINARY(·avxCvtPkF16F32, NOTHING, EIGHT(PACKNEAR))
BINARY(·avxCvtPkrtzF16F32, NOTHING, EIGHT(PACKZERO))
BINARY(·avxCvtPkBf16F32, BFLOATS, EIGHT(PACKBF))

#define PKMIN(o) VMOVDQU o(SI), Y0; VPMINSW o(DX), Y0, Y0; VMOVDQU Y0, o(DI);
#define PKMAX(o) VMOVDQU o(SI), Y0; VPMAXSW o(DX), Y0, Y0; VMOVDQU Y0, o(DI);
#define PKMAD(o) VMOVDQU o(SI), Y0; VPMULLW o(DX), Y0, Y0; VPADDW o(CX), Y0, Y0; VMOVDQU Y0, o(DI);

BINARY(·avxPkMinI16, NOTHING, EIGHT(PKMIN))
BINARY(·avxPkMaxI16, NOTHING, EIGHT(PKMAX))
TERNARY(·avxPkMad16, NOTHING, PKMAD)

// Bit n of the table, for the bits of n, is all of Y8+n.
#define CHOICE(NO, YES, T) VPANDN NO, Y2, T; VPAND YES, Y2, Y7; VPOR Y7, T, T;
#define TABLE(o) \
	VMOVDQU o(SI), Y0 \
	VMOVDQU o(DX), Y1 \
	VMOVDQU o(CX), Y2 \
	CHOICE(Y8, Y9, Y3) \
	CHOICE(Y10, Y11, Y4) \
	CHOICE(Y12, Y13, Y5) \
	CHOICE(Y14, Y15, Y6) \
	VPANDN Y3, Y1, Y3 \
	VPAND Y4, Y1, Y4 \
	VPOR Y4, Y3, Y3 \
	VPANDN Y5, Y1, Y5 \
	VPAND Y6, Y1, Y6 \
	VPOR Y6, Y5, Y5 \
	VPANDN Y3, Y0, Y3 \
	VPAND Y5, Y0, Y5 \
	VPOR Y5, Y3, Y3 \
	VMOVDQU Y3, o(DI)

// func avxBitTable(d, a, b, c *Lanes, table *[8]uint32)
TEXT ·avxBitTable(SB), NOSPLIT, $0-40
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ c+24(FP), CX
	MOVQ table+32(FP), BX
	VPBROADCASTD 0(BX), Y8
	VPBROADCASTD 4(BX), Y9
	VPBROADCASTD 8(BX), Y10
	VPBROADCASTD 12(BX), Y11
	VPBROADCASTD 16(BX), Y12
	VPBROADCASTD 20(BX), Y13
	VPBROADCASTD 24(BX), Y14
	VPBROADCASTD 28(BX), Y15
	EIGHT(TABLE)
	VZEROUPPER
	RET
