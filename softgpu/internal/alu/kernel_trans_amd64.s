#include "textflag.h"
#include "kernel_amd64.h"

// Logarithm, sine and cosine of singles by way of float64, four lanes at a time.
// They take the steps of math.Log2 and math.Sincos, each rounded as there, so that
// results have the same bits. Lanes that they have no steps for are set in what
// they return; those of d then hold anything.

// The log's numbers in the order of their use.
DATA log2<>+0x00(SB)/8, $0x7ff0000000000000 // exponent
DATA log2<>+0x08(SB)/8, $0x3fe0000000000000 // 1/2
DATA log2<>+0x10(SB)/8, $0x3fe6a09e667f3bcd // sqrt(2)/2
DATA log2<>+0x18(SB)/8, $0x3ff0000000000000 // 1
DATA log2<>+0x20(SB)/8, $0x0010000000000000 // what doubles a number
DATA log2<>+0x28(SB)/8, $0x3fc2f112df3e5244 // L7
DATA log2<>+0x30(SB)/8, $0x3fc7466496cb03de // L5
DATA log2<>+0x38(SB)/8, $0x3fd2492494229359 // L3
DATA log2<>+0x40(SB)/8, $0x3fe5555555555593 // L1
DATA log2<>+0x48(SB)/8, $0x3fc39a09d078c69f // L6
DATA log2<>+0x50(SB)/8, $0x3fcc71c51d8e78af // L4
DATA log2<>+0x58(SB)/8, $0x3fd999999997fa04 // L2
DATA log2<>+0x60(SB)/8, $0xbdea39ef35793c76 // low part of -ln(2)
DATA log2<>+0x68(SB)/8, $0xbfe62e42fee00000 // high part of -ln(2)
DATA log2<>+0x70(SB)/8, $0x3ff71547652b82fe // 1/ln(2)
DATA log2<>+0x78(SB)/8, $0x4330000000000000 // 2**52
DATA log2<>+0x80(SB)/8, $0x43300000000003fe // 2**52 + 1022
DATA log2<>+0x88(SB)/8, $0x7f800000
GLOBL log2<>(SB), RODATA, $0x90

#define L(at, y) VBROADCASTSD log2<>+at(SB), y

// frac (Y2) in [1/2, 1) times two to the power of exp (Y1): log(frac) as math.Log
// has it, its k -1 (Y5) or 0. Powers of two come out exact: log(1/2)/ln(2) is -1.
#define LOG(o) \
	VCVTPS2PD o(SI), Y0 \
	VPSRLQ $52, Y0, Y1 \
	VPOR Y13, Y1, Y1 \
	L(0x80, Y4) \
	VSUBPD Y4, Y1, Y1 \
	VPANDN Y0, Y12, Y2 \
	VPOR Y11, Y2, Y2 \
	VCMPPD $1, Y15, Y2, Y5 \
	VPAND Y14, Y5, Y3 \
	VPADDQ Y3, Y2, Y2 \
	VSUBPD Y10, Y2, Y2 \
	VADDPD Y9, Y2, Y3 \
	VDIVPD Y3, Y2, Y3 \
	VMULPD Y3, Y3, Y4 \
	VMULPD Y4, Y4, Y6 \
	VMULPD Y8, Y6, Y7 \
	L(0x30, Y0) \
	VADDPD Y0, Y7, Y7 \
	VMULPD Y6, Y7, Y7 \
	L(0x38, Y0) \
	VADDPD Y0, Y7, Y7 \
	VMULPD Y6, Y7, Y7 \
	L(0x40, Y0) \
	VADDPD Y0, Y7, Y7 \
	VMULPD Y7, Y4, Y4 \
	L(0x48, Y7) \
	VMULPD Y6, Y7, Y7 \
	L(0x50, Y0) \
	VADDPD Y0, Y7, Y7 \
	VMULPD Y6, Y7, Y7 \
	L(0x58, Y0) \
	VADDPD Y0, Y7, Y7 \
	VMULPD Y7, Y6, Y6 \
	VADDPD Y6, Y4, Y4 \
	VMULPD Y11, Y2, Y0 \
	VMULPD Y2, Y0, Y0 \
	VADDPD Y0, Y4, Y4 \
	VMULPD Y4, Y3, Y3 \
	L(0x60, Y4) \
	VPAND Y4, Y5, Y4 \
	VADDPD Y4, Y3, Y3 \
	VSUBPD Y3, Y0, Y0 \
	VSUBPD Y2, Y0, Y0 \
	L(0x68, Y4) \
	VPAND Y4, Y5, Y5 \
	VSUBPD Y0, Y5, Y5 \
	L(0x70, Y4) \
	VMULPD Y4, Y5, Y5 \
	VADDPD Y1, Y5, Y5 \
	VCVTPD2PSY Y5, X5 \
	VMOVUPS X5, o(DI)

// More than 0 and less than infinity, as integers.
#define NUMBERS(o) \
	VMOVDQU o(SI), Y0 \
	VPCMPGTD Y15, Y0, Y1 \
	VPCMPGTD Y0, Y14, Y0 \
	VPAND Y0, Y1, Y0 \
	VMOVMSKPS Y0, AX \
	SHLQ $8, BX \
	ORQ AX, BX

// func avxLogF32(d, a *Lanes) (others uint64)
TEXT ·avxLogF32(SB), NOSPLIT, $0-24
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	VPXOR Y15, Y15, Y15
	VPBROADCASTD log2<>+0x88(SB), Y14
	XORQ BX, BX
	EIGHTDOWN(NUMBERS)
	NOTQ BX
	MOVQ BX, others+16(FP)
	L(0x10, Y15)
	L(0x20, Y14)
	L(0x78, Y13)
	L(0x00, Y12)
	L(0x08, Y11)
	L(0x18, Y10)
	VADDPD Y10, Y10, Y9
	L(0x28, Y8)
	SIXTEEN(LOG)
	VZEROUPPER
	RET

DATA turn<>+0x00(SB)/8, $0x4010000000000000 // 4
DATA turn<>+0x08(SB)/8, $0x3fd0000000000000 // 1/4
DATA turn<>+0x10(SB)/8, $0x401921fb54442d18 // 2*pi
DATA turn<>+0x18(SB)/8, $0x3fe0000000000000 // 1/2
DATA turn<>+0x20(SB)/8, $0x3ff0000000000000 // 1
DATA turn<>+0x28(SB)/8, $0x3fc0000000000000 // 1/8
DATA turn<>+0x30(SB)/8, $0x4338000000000000 // 1.5 * 2**52: adding it leaves an integer in the lowest bits
DATA turn<>+0x38(SB)/4, $0x43800000 // 256
DATA turn<>+0x3c(SB)/4, $0x7fffffff
DATA turn<>+0x40(SB)/8, $0x3de5d8fd1fd19ccd // the polynomials' coefficients: sine's and cosine's
DATA turn<>+0x48(SB)/8, $0xbda8fa49a0861a9b
DATA turn<>+0x50(SB)/8, $0xbe5ae5e5a9291f5d
DATA turn<>+0x58(SB)/8, $0x3e21ee9d7b4e3f05
DATA turn<>+0x60(SB)/8, $0x3ec71de3567d48a1
DATA turn<>+0x68(SB)/8, $0xbe927e4f7eac4bc6
DATA turn<>+0x70(SB)/8, $0xbf2a01a019bfdf03
DATA turn<>+0x78(SB)/8, $0x3efa01a019c844f5
DATA turn<>+0x80(SB)/8, $0x3f8111111110f7d0
DATA turn<>+0x88(SB)/8, $0xbf56c16c16c14f91
DATA turn<>+0x90(SB)/8, $0xbfc5555555555548
DATA turn<>+0x98(SB)/8, $0x3fa555555555554b
GLOBL turn<>(SB), RODATA, $0xa0

#define T(at, y) VBROADCASTSD turn<>+at(SB), y
#define PAIR(at, y) VBROADCASTF128 turn<>+at(SB), y; VPERMILPD Y4, y, y
#define NEXT(at) VMULPD Y3, Y5, Y5; PAIR(at, Y6); VADDPD Y6, Y5, Y5

// The sine of x turns (Y0): its nearest quarter (Y1), and the rest in radians (Y2),
// whose sine it is, or cosine where the quarter, to which ADD adds one, is odd. A rest
// of an eighth has other steps. Bit 1 of the quarter is the sign; adding 0 makes
// +0 of -0.
#define TURN(o, ADD) \
	VCVTPS2PD o(SI), Y0 \
	VMULPD Y13, Y0, Y1 \
	VROUNDPD $8, Y1, Y1 \
	VMULPD Y12, Y1, Y2 \
	VSUBPD Y2, Y0, Y2 \
	VANDPD Y15, Y2, Y4 \
	VCMPPD $0, Y14, Y4, Y4 \
	VMOVMSKPD Y4, AX \
	SHLQ $4, BX \
	ORQ AX, BX \
	VADDPD Y8, Y1, Y1 \
	ADD \
	VPADDQ Y1, Y1, Y4 \
	VPSLLQ $63, Y1, Y7 \
	VMULPD Y11, Y2, Y2 \
	VMULPD Y2, Y2, Y3 \
	PAIR(0x40, Y5) \
	NEXT(0x50) \
	NEXT(0x60) \
	NEXT(0x70) \
	NEXT(0x80) \
	NEXT(0x90) \
	VMULPD Y10, Y3, Y6 \
	VSUBPD Y6, Y9, Y6 \
	VBLENDVPD Y7, Y6, Y2, Y6 \
	VBLENDVPD Y7, Y3, Y2, Y7 \
	VMULPD Y3, Y7, Y7 \
	VMULPD Y5, Y7, Y7 \
	VADDPD Y7, Y6, Y6 \
	VPSRLQ $1, Y1, Y1 \
	VPSLLQ $63, Y1, Y1 \
	VXORPD Y1, Y6, Y6 \
	VXORPD Y4, Y4, Y4 \
	VADDPD Y4, Y6, Y6 \
	VCVTPD2PSY Y6, X6

// The sine of zeros is their own.
#define SIN(o) \
	TURN(o, NOTHING) \
	VMOVUPS o(SI), X0 \
	VCMPPS $0, X0, X4, X4 \
	VBLENDVPS X4, X0, X6, X6 \
	VMOVUPS X6, o(DI)

// Cosine is the sine of a quarter more.
#define COS(o) \
	TURN(o, MORE) \
	VMOVUPS X6, o(DI)

#define NOTHING
#define MORE VADDPD Y9, Y1, Y1;

#define INTURN(o) \
	VANDPS o(SI), Y15, Y0 \
	VCMPPS $2, Y14, Y0, Y0 \
	VMOVMSKPS Y0, AX \
	SHLQ $8, DX \
	ORQ AX, DX

#define TURNS(NAME, STEP) \
TEXT NAME(SB), NOSPLIT, $0-24 \
	MOVQ d+0(FP), DI \
	MOVQ a+8(FP), SI \
	VBROADCASTSS turn<>+0x3c(SB), Y15 \
	VBROADCASTSS turn<>+0x38(SB), Y14 \
	XORQ BX, BX \
	XORQ DX, DX \
	EIGHTDOWN(INTURN) \
	VPCMPEQD Y15, Y15, Y15 \
	VPSRLQ $1, Y15, Y15 \
	T(0x28, Y14) \
	T(0x00, Y13) \
	T(0x08, Y12) \
	T(0x10, Y11) \
	T(0x18, Y10) \
	T(0x20, Y9) \
	T(0x30, Y8) \
	SIXTEENDOWN(STEP) \
	NOTQ DX \
	ORQ DX, BX \
	MOVQ BX, others+16(FP) \
	VZEROUPPER \
	RET

// func avxSinF32(d, a *Lanes) (others uint64)
TURNS(·avxSinF32, SIN)

// func avxCosF32(d, a *Lanes) (others uint64)
TURNS(·avxCosF32, COS)
