#include "textflag.h"
#include "kernel_amd64.h"

// Permutations of lanes. A vector is permuted by the lowest three bits of an index; those above
// choose between vectors, by the sign that a shift makes of them.

#define SIXTEENTH(A, B, SIGN, TO) \
	VPERMD A, Y0, TO \
	VPERMD B, Y0, Y4 \
	VBLENDVPS SIGN, Y4, TO, TO

// INDEX takes the indexes of eight lanes; ADDRESS takes addresses, four times as great, and adds the op's offset.
#define INDEX(o) VMOVDQU o(CX), Y0
#define ADDRESS(o) VPBROADCASTD 56(R12), Y0; VPADDD o(CX), Y0, Y0; VPSRLD $2, Y0, Y0

#define PERMUTE(o) PERMUTEBY(o, INDEX)
#define PERMUTEBY(o, FETCH) \
	FETCH(o) \
	VPSLLD $28, Y0, Y5 \
	VPSLLD $27, Y0, Y6 \
	VPSLLD $26, Y0, Y7 \
	SIXTEENTH(Y8, Y9, Y5, Y1) \
	SIXTEENTH(Y10, Y11, Y5, Y2) \
	VBLENDVPS Y6, Y2, Y1, Y1 \
	SIXTEENTH(Y12, Y13, Y5, Y2) \
	SIXTEENTH(Y14, Y15, Y5, Y3) \
	VBLENDVPS Y6, Y3, Y2, Y2 \
	VBLENDVPS Y7, Y2, Y1, Y1 \
	VMOVDQU Y1, o(DI)

#define TAKEALL \
	VMOVDQU 0(SI), Y8 \
	VMOVDQU 32(SI), Y9 \
	VMOVDQU 64(SI), Y10 \
	VMOVDQU 96(SI), Y11 \
	VMOVDQU 128(SI), Y12 \
	VMOVDQU 160(SI), Y13 \
	VMOVDQU 192(SI), Y14 \
	VMOVDQU 224(SI), Y15

// func avxPermute(d, a, index *Lanes)
TEXT ·avxPermute(SB), NOSPLIT, $0-24
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ index+16(FP), CX
	TAKEALL
	EIGHT(PERMUTE)
	VZEROUPPER
	RET

#define HALFPERMUTE(o, FETCH) \
	FETCH(o) \
	VPSLLD $28, Y0, Y5 \
	VPSLLD $27, Y0, Y6 \
	SIXTEENTH(Y8, Y9, Y5, Y1) \
	SIXTEENTH(Y10, Y11, Y5, Y2) \
	VBLENDVPS Y6, Y2, Y1, Y1 \
	VMOVDQU Y1, o(DI)

#define HALF(o, FETCH) \
	VMOVDQU (o+0)(SI), Y8 \
	VMOVDQU (o+32)(SI), Y9 \
	VMOVDQU (o+64)(SI), Y10 \
	VMOVDQU (o+96)(SI), Y11 \
	HALFPERMUTE(o+0, FETCH) \
	HALFPERMUTE(o+32, FETCH) \
	HALFPERMUTE(o+64, FETCH) \
	HALFPERMUTE(o+96, FETCH)

// func avxPermuteIn32(d, a, index *Lanes)
TEXT ·avxPermuteIn32(SB), NOSPLIT, $0-24
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ index+16(FP), CX
	HALF(0, INDEX)
	HALF(128, INDEX)
	VZEROUPPER
	RET

#define OPERANDS PLACE(0, DI); PLACE(1, SI); PLACE(2, CX)

// Ops that permute all 64 lanes are for waves of 64.
#define ADDRESSED(o) PERMUTEBY(o, ADDRESS)

#define OPPERMUTE(NAME, STEP) \
OP(NAME) \
	OPERANDS \
	TAKEALL \
	EIGHT(STEP) \
	NEXTOP

OPPERMUTE(·opPermute, PERMUTE)
OPPERMUTE(·opBpermute, ADDRESSED)

#define OPPERMUTEIN32(NAME, FETCH) \
OP(NAME) \
	OPERANDS \
	HALF(0, FETCH) \
	WHOLEWAVE \
	JNE end \
	HALF(128, FETCH) \
end: \
	NEXTOP

OPPERMUTEIN32(·opPermuteIn32, INDEX)
OPPERMUTEIN32(·opBpermuteIn32, ADDRESS)
