// clang-format off: this is for assembly.

// Kernels go through the 256 bytes of a register in steps of one vector: of eight
// lanes, or of four where those become eight bytes each. A step gets the vector's place.

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

#define SIXTEEN(STEP) \
	STEP(0) \
	STEP(16) \
	STEP(32) \
	STEP(48) \
	STEP(64) \
	STEP(80) \
	STEP(96) \
	STEP(112) \
	STEP(128) \
	STEP(144) \
	STEP(160) \
	STEP(176) \
	STEP(192) \
	STEP(208) \
	STEP(224) \
	STEP(240)

#define SIXTEENDOWN(STEP) \
	STEP(240) \
	STEP(224) \
	STEP(208) \
	STEP(192) \
	STEP(176) \
	STEP(160) \
	STEP(144) \
	STEP(128) \
	STEP(112) \
	STEP(96) \
	STEP(80) \
	STEP(64) \
	STEP(48) \
	STEP(32) \
	STEP(16) \
	STEP(0)

// Ops of runs see the whole registers, or in waves of 32 lanes their lower halves: R15 has the
// number of bytes. END is a label.
#define EXTENT R15
#define BUDGET 40(R13)
#define WHOLEWAVE CMPQ EXTENT, $256

#define LANES(STEP, END) \
	STEP(0) \
	STEP(32) \
	STEP(64) \
	STEP(96) \
	WHOLEWAVE \
	JNE END \
	STEP(128) \
	STEP(160) \
	STEP(192) \
	STEP(224) \
END:

#define LANESDOWN(STEP, LOW) \
	WHOLEWAVE \
	JNE LOW \
	STEP(224) \
	STEP(192) \
	STEP(160) \
	STEP(128) \
LOW: \
	STEP(96) \
	STEP(64) \
	STEP(32) \
	STEP(0)

// TAKEMASK loads a bit for each of the lanes: of a pair of scalar registers, or of one. A
// processor waits long for a load of 64 bits after a store of 32 to the same place.
#define TAKEMASK(AT, REG) \
	WHOLEWAVE \
	JEQ 3(PC) \
	MOVL (AT), REG \
	JMP 2(PC) \
	MOVQ (AT), REG

// PUTMASK stores a bit for each of the lanes: a pair of scalar registers, or one.
#define PUTMASK(REG, AT) \
	WHOLEWAVE \
	JEQ 3(PC) \
	MOVL REG, (AT) \
	JMP 2(PC) \
	MOVQ REG, (AT)

// An op of a run (kernel_run.go) finds its operands where the op at R12 says, in the files
// at R13, and goes on to the op after it. Ops keep R12 to R15.
#define PLACE(n, REG) \
	MOVBLZX (8+n)(R12), AX \
	MOVQ (16+8*n)(R12), REG \
	ADDQ (R13)(AX*8), REG

// NEAR is PLACE for an operand that is known to be a vector register: two loads less, and loads are what ops of waves
// of 32 lanes wait for. R14 has the vector registers' address.
#define NEAR(n, REG) \
	MOVQ (16+8*n)(R12), REG \
	ADDQ R14, REG

// FORMS makes the three forms of an op: its operands may be anywhere, are all vector registers, or are all vector
// registers but the first source.
#define FORMS(OPERATION, NAME, NEARNAME, MIXEDNAME, STEP) \
	OPERATION(NAME, STEP, PLACE, PLACE) \
	OPERATION(NEARNAME, STEP, NEAR, NEAR) \
	OPERATION(MIXEDNAME, STEP, NEAR, PLACE)

// FILLED is PLACE for a number that is the same for all lanes: the wave's temporary memory at the op's last word gets
// it for each of them.
#define FILLED(n, REG) \
	PLACE(n, REG) \
	VPBROADCASTD (REG), Y0 \
	MOVQ 24(R13), REG \
	ADDQ 56(R12), REG \
	VMOVDQU Y0, 0(REG) \
	VMOVDQU Y0, 32(REG) \
	VMOVDQU Y0, 64(REG) \
	VMOVDQU Y0, 96(REG) \
	WHOLEWAVE \
	JNE filled \
	VMOVDQU Y0, 128(REG) \
	VMOVDQU Y0, 160(REG) \
	VMOVDQU Y0, 192(REG) \
	VMOVDQU Y0, 224(REG) \
filled:

// SPREADABLE makes the forms of an op that also spreads its first source.
#define SPREADABLE(OPERATION, NAME, NEARNAME, MIXEDNAME, SPREADNAME, STEP) \
	FORMS(OPERATION, NAME, NEARNAME, MIXEDNAME, STEP) \
	OPERATION(SPREADNAME, STEP, NEAR, FILLED)

#define NEXTOP \
	ADDQ $64, R12 \
	MOVQ (R12), AX \
	JMP AX

#define OP(NAME) TEXT NAME(SB), NOSPLIT|NOFRAME, $0-0

#define DECLINE JMP ·opDecline(SB)
