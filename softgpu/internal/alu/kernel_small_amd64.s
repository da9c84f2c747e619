#include "textflag.h"
#include "kernel_amd64.h"

// Singles to formats of at most 8 bits: see smallCode for what is at AX.
//
// A number's bits, rounded to the place of the format's last one, become its own
// after another bias. Those below its least normal number round by the addition of
// one whose last place is the format's; the signs come from x.
#define TOSMALL(o) \
	VMOVUPS o(SI), Y0 \
	VPAND Y15, Y0, Y0 \
	VPSRLD X13, Y0, Y1 \
	VPAND Y14, Y1, Y1 \
	VPADDD Y12, Y1, Y1 \
	VPADDD Y0, Y1, Y1 \
	VPSRLD X13, Y1, Y1 \
	VPSUBD Y11, Y1, Y1 \
	VADDPS Y10, Y0, Y2 \
	VPSUBD Y10, Y2, Y2 \
	VPCMPGTD Y0, Y9, Y3 \
	VPBLENDVB Y3, Y2, Y1, Y1 \
	VPCMPGTD Y8, Y1, Y3 \
	VPBROADCASTD 24(AX), Y2 \
	VPBLENDVB Y3, Y2, Y1, Y1 \
	VCMPPS $3, Y0, Y0, Y3 \
	VPBROADCASTD 28(AX), Y2 \
	VPBLENDVB Y3, Y2, Y1, Y1 \
	VPBROADCASTD 36(AX), Y2 \
	VPCMPEQD Y1, Y2, Y2 \
	VPBROADCASTD 40(AX), Y3 \
	VPCMPEQD Y1, Y3, Y3 \
	VPOR Y2, Y3, Y3 \
	VPANDN o(DX), Y15, Y2 \
	VPANDN Y2, Y3, Y2 \
	VPSRLD X7, Y2, Y2 \
	VPOR Y2, Y1, Y1 \
	VMOVDQU Y1, o(DI)

// func avxToSmall(d, v, x *Lanes, code *[13]uint32)
TEXT ·avxToSmall(SB), NOSPLIT, $0-32
	MOVQ d+0(FP), DI
	MOVQ v+8(FP), SI
	MOVQ x+16(FP), DX
	MOVQ code+24(FP), AX
	VPCMPEQD Y15, Y15, Y15
	VPSRLD $31, Y15, Y14
	VPSRLD $1, Y15, Y15
	VMOVD 4(AX), X13
	VPBROADCASTD 0(AX), Y12
	VPBROADCASTD 8(AX), Y11
	VPBROADCASTD 16(AX), Y10
	VPBROADCASTD 12(AX), Y9
	VPBROADCASTD 20(AX), Y8
	VMOVD 32(AX), X7
	EIGHT(TOSMALL)
	VZEROUPPER
	RET

// The same with random numbers, which are added to the 32 bits after the last place;
// what they carry is found as the greater of sum and summand. Numbers below the least
// normal one have their last place higher by what their exponents lack.
#define ATRANDOM(o) \
	VPAND o(SI), Y15, Y0 \
	VPSRLD $23, Y0, Y1 \
	VPMAXUD Y14, Y1, Y1 \
	VPSUBD Y14, Y1, Y2 \
	VPSLLD $23, Y2, Y2 \
	VPSUBD Y2, Y0, Y2 \
	VPMAXUD Y13, Y1, Y3 \
	VPSUBD Y13, Y3, Y4 \
	VPSLLD X7, Y4, Y4 \
	VPSUBD Y1, Y3, Y3 \
	VPADDD Y12, Y3, Y3 \
	VPSRLVD Y3, Y2, Y5 \
	VPADDD Y5, Y4, Y4 \
	VPSUBD Y3, Y11, Y5 \
	VPSLLVD Y5, Y2, Y6 \
	VPSUBD Y11, Y3, Y5 \
	VPSRLVD Y5, Y2, Y5 \
	VPOR Y5, Y6, Y6 \
	VPADDD o(BX), Y6, Y5 \
	VPMAXUD Y5, Y6, Y6 \
	VPCMPEQD Y5, Y6, Y6 \
	VPADDD Y14, Y4, Y4 \
	VPADDD Y6, Y4, Y4 \
	VPCMPGTD Y8, Y4, Y3 \
	VPBROADCASTD 24(AX), Y2 \
	VPBLENDVB Y3, Y2, Y4, Y4 \
	VPCMPEQD Y10, Y0, Y3 \
	VPBROADCASTD 44(AX), Y2 \
	VPBLENDVB Y3, Y2, Y4, Y4 \
	VPCMPGTD Y10, Y0, Y3 \
	VPBROADCASTD 28(AX), Y2 \
	VPBLENDVB Y3, Y2, Y4, Y4 \
	VPBROADCASTD 36(AX), Y2 \
	VPCMPEQD Y4, Y2, Y2 \
	VPBROADCASTD 40(AX), Y3 \
	VPCMPEQD Y4, Y3, Y3 \
	VPOR Y2, Y3, Y3 \
	VPANDN o(DX), Y15, Y2 \
	VPANDN Y2, Y3, Y2 \
	VPSRLD X9, Y2, Y2 \
	VPOR Y2, Y4, Y4 \
	VMOVDQU Y4, o(DI)

DATA thirtyTwo<>+0x00(SB)/4, $32
GLOBL thirtyTwo<>(SB), RODATA, $4

// func avxAtRandom(d, v, x, random *Lanes, code *[13]uint32)
TEXT ·avxAtRandom(SB), NOSPLIT, $0-40
	MOVQ d+0(FP), DI
	MOVQ v+8(FP), SI
	MOVQ x+16(FP), DX
	MOVQ random+24(FP), BX
	MOVQ code+32(FP), AX
	VPCMPEQD Y15, Y15, Y15
	VPSRLD $31, Y15, Y14
	VPSLLD $24, Y15, Y10
	VPSRLD $1, Y10, Y10
	VPSRLD $1, Y15, Y15
	VPBROADCASTD 12(AX), Y13
	VPSRLD $23, Y13, Y13
	VPBROADCASTD 4(AX), Y12
	VPBROADCASTD thirtyTwo<>(SB), Y11
	VMOVD 32(AX), X9
	VPBROADCASTD 20(AX), Y8
	VMOVD 48(AX), X7
	EIGHT(ATRANDOM)
	VZEROUPPER
	RET

DATA prng<>+0x00(SB)/4, $0xc5
GLOBL prng<>(SB), RODATA, $4

#define PRNG(o) \
	VMOVDQU o(SI), Y0 \
	VPSRAD $31, Y0, Y1 \
	VPADDD Y0, Y0, Y0 \
	VPAND Y15, Y1, Y1 \
	VPXOR Y1, Y0, Y0 \
	VMOVDQU Y0, o(DI)

// func avxPrngB32(d, a *Lanes)
TEXT ·avxPrngB32(SB), NOSPLIT, $0-16
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	VPBROADCASTD prng<>(SB), Y15
	EIGHT(PRNG)
	VZEROUPPER
	RET

// Formats of at most 8 bits to singles, times others: see smallValues for what is at AX.
//
// A number's bits become a single's after another bias; those of denormals are the
// fraction of the least normal number, which is taken away again. NaNs get x's signs.
#define FROMSMALL(o) \
	VMOVDQU o(SI), Y0 \
	VPSRLD X14, Y0, Y0 \
	VPSLLD X13, Y0, Y0 \
	VPAND Y15, Y0, Y1 \
	VPANDN Y0, Y15, Y0 \
	VPSRLD X12, Y1, Y1 \
	VPADDD Y11, Y1, Y2 \
	VPADDD Y10, Y1, Y3 \
	VSUBPS Y10, Y3, Y3 \
	VPCMPGTD Y1, Y9, Y4 \
	VPBLENDVB Y4, Y3, Y2, Y2 \
	VPCMPGTD Y8, Y1, Y3 \
	VPAND Y7, Y3, Y3 \
	VPOR Y3, Y2, Y2 \
	VPOR Y0, Y2, Y2 \
	VMULPS o(DX), Y2, Y2 \
	VCMPPS $3, Y2, Y2, Y3 \
	VPOR Y6, Y0, Y0 \
	VPBLENDVB Y3, Y0, Y2, Y2 \
	VMOVDQU Y2, o(DI)

// func avxFromSmall(d, x, by *Lanes, values *[5]uint32, shift uint32)
TEXT ·avxFromSmall(SB), NOSPLIT, $0-36
	MOVQ d+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ by+16(FP), DX
	MOVQ values+24(FP), AX
	MOVL shift+32(FP), CX
	VMOVD CX, X14
	VMOVD 0(AX), X13
	VMOVD 4(AX), X12
	VPBROADCASTD 8(AX), Y11
	VPBROADCASTD 12(AX), Y10
	VPBROADCASTD 16(AX), Y8
	VPCMPEQD Y15, Y15, Y15
	VPSRLD $31, Y15, Y9
	VPSLLD $23, Y9, Y9
	VPSLLD $24, Y15, Y7
	VPSRLD $1, Y7, Y7
	VPBROADCASTD powers<>+0x04(SB), Y6
	VPSRLD $1, Y15, Y15
	EIGHT(FROMSMALL)
	VZEROUPPER
	RET

DATA powers<>+0x00(SB)/4, $0x7f800000
DATA powers<>+0x04(SB)/4, $0x7fc00000
DATA powers<>+0x08(SB)/4, $0x00400000
GLOBL powers<>(SB), RODATA, $12

// The exponents of scales, or what they lack from the top: 0 is 2**-127, the largest NaN.
#define POWER(o) \
	VPAND o(SI), Y15, Y0 \
	VPSUBD Y0, Y12, Y1 \
	VPABSD Y1, Y1 \
	VPCMPEQD Y1, Y11, Y2 \
	VPAND Y13, Y2, Y2 \
	VPOR Y2, Y1, Y1 \
	VPCMPEQD Y0, Y15, Y2 \
	VPBLENDVB Y2, Y14, Y1, Y1 \
	VMOVDQU Y1, o(DI)

// func avxScalePowers(by, scale *Lanes, top uint32)
TEXT ·avxScalePowers(SB), NOSPLIT, $0-20
	MOVQ by+0(FP), DI
	MOVQ scale+8(FP), SI
	MOVL top+16(FP), AX
	VMOVD AX, X12
	VPBROADCASTD X12, Y12
	VPBROADCASTD powers<>+0x00(SB), Y15
	VPBROADCASTD powers<>+0x04(SB), Y14
	VPBROADCASTD powers<>+0x08(SB), Y13
	VPXOR Y11, Y11, Y11
	EIGHT(POWER)
	VZEROUPPER
	RET
