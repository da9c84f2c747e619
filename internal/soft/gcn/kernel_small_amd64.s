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

// func avxToSmall(d, v, x *Lanes, code *[11]uint32)
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
