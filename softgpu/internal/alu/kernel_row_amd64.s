#include "textflag.h"
#include "kernel_amd64.h"

// Ops that load and store a word for each lane, of memory and of LDS. They leave what is out of
// range, or has no common upper half of addresses, to the instruction's step. The offset is the
// op's last word; of two, the first is the third before it.

DATA fours<>+0(SB)/8, $0x0000000400000000
DATA fours<>+8(SB)/8, $0x0000000c00000008
DATA fours<>+16(SB)/8, $0x0000001400000010
DATA fours<>+24(SB)/8, $0x0000001c00000018
DATA fours<>+32(SB)/4, $32
GLOBL fours<>(SB), RODATA, $36

#define SHAPE(o) \
	VPCMPEQD o(SI), Y2, Y3 \
	VPAND Y3, Y4, Y4 \
	VPCMPEQD o(SI), Y1, Y5 \
	VPAND Y5, Y6, Y6 \
	VPADDD Y7, Y2, Y2

// SHAPES tells in Y4 whether the offsets at SI are a row, in Y6 whether they are all the same.
#define SHAPES \
	VPBROADCASTD (SI), Y1 \
	VPBROADCASTD fours<>+32(SB), Y7 \
	VPADDD fours<>(SB), Y1, Y2 \
	VPCMPEQD Y4, Y4, Y4 \
	VMOVDQA Y4, Y6 \
	LANES(SHAPE, shaped)

#define HIGHER(o) VPCMPEQD 256+o(SI), Y8, Y3; VPAND Y3, Y9, Y9;

#define ALL(Y) VPMOVMSKB Y, DX; CMPL DX, $-1;

#define FROM(o) VMOVDQU o(CX), Y0; VMOVDQU Y0, o(DI);
#define TO(o) VMOVDQU o(DI), Y0; VMOVDQU Y0, o(CX);
#define SPREAD(o) VMOVDQU Y0, o(DI);

// LDSAT puts the address of the first lane's word to CX, if so many bytes from there on are LDS,
// whose slice is at R10.
#define LDSAT(OFFSET, BYTES) \
	MOVL (SI), CX \
	ADDQ OFFSET(R12), CX \
	MOVQ BYTES, DX \
	ADDQ CX, DX \
	CMPQ DX, 8(R10) \
	JLS 2(PC) \
	DECLINE \
	ADDQ (R10), CX

// EXTREME puts the greatest or the least of the offsets at SI to CX. OP takes that of pairs, and EACH is OP for a vector
// in memory.
#define EXTREME(EACH, OP, END) \
	VMOVDQU (SI), Y0 \
	LANES(EACH, END) \
	VEXTRACTI128 $1, Y0, X1 \
	OP X1, X0, X0 \
	VPSHUFD $0x4e, X0, X1 \
	OP X1, X0, X0 \
	VPSHUFD $0xb1, X0, X1 \
	OP X1, X0, X0 \
	VMOVD X0, CX

#define GREATER(o) VPMAXUD o(SI), Y0, Y0;
#define GREATEST EXTREME(GREATER, VPMAXUD, greatest)
#define LESS(o) VPMINUD o(SI), Y0, Y0;
#define LEAST EXTREME(LESS, VPMINUD, least)

// LDSHAS declines unless LDS, whose slice is at R10, has a word at the offset in CX and that of the op.
#define LDSHAS(OFFSET) \
	MOVQ OFFSET(R12), DX \
	LEAQ 4(CX)(DX*1), DX \
	CMPQ DX, 8(R10) \
	JLS 2(PC) \
	DECLINE

// GATHER loads from the offsets at SI, eight lanes at once where they are a row or one. ROW is a macro that loads eight
// lanes by an instruction, from the offset in AX, and EACH one that loads the lane n bytes after that at R8.
#define GATHER(ROW, EACH, AGAIN, SAME, ANY, NEXT) \
	XORL R8, R8 \
AGAIN: \
	VMOVDQU (SI)(R8*1), Y0 \
	VPBROADCASTD (SI)(R8*1), Y1 \
	VPADDD fours<>(SB), Y1, Y2 \
	VPCMPEQD Y0, Y2, Y2 \
	VPCMPEQD Y0, Y1, Y1 \
	MOVL (SI)(R8*1), AX \
	ALL(Y2) \
	JNE SAME \
	ROW(VMOVDQU) \
	JMP NEXT \
SAME: \
	ALL(Y1) \
	JNE ANY \
	ROW(VPBROADCASTD) \
	JMP NEXT \
ANY: \
	EACH(0) EACH(4) EACH(8) EACH(12) EACH(16) EACH(20) EACH(24) EACH(28) \
NEXT: \
	ADDQ $32, R8 \
	CMPQ R8, EXTENT \
	JLT AGAIN

// One word from R9, to DI.
#define WORDROW(LOAD) LOAD (R9)(AX*1), Y2; VMOVDQU Y2, (DI)(R8*1);
#define WORD(n) MOVL n(SI)(R8*1), AX; MOVL (R9)(AX*1), BX; MOVL BX, n(DI)(R8*1);

// Two words, from R9 and R10, to DI and the register after it. Either may be that of the offsets.
#define WORDSROW(LOAD) LOAD (R9)(AX*1), Y2; LOAD (R10)(AX*1), Y3; VMOVDQU Y2, (DI)(R8*1); VMOVDQU Y3, 256(DI)(R8*1);
#define WORDS(n) MOVL n(SI)(R8*1), AX; MOVL (R9)(AX*1), BX; MOVL (R10)(AX*1), CX; MOVL BX, n(DI)(R8*1); MOVL CX, 256+n(DI)(R8*1);

#define PUTWORD(n) MOVL n(SI)(R8*1), AX; MOVL n(DI)(R8*1), BX; MOVL BX, (R9)(AX*1);

// SCATTER stores words to R9 and the offsets at SI, eight at once where they are a row.
#define SCATTER(AGAIN, ANY, NEXT) \
	XORL R8, R8 \
AGAIN: \
	VPBROADCASTD (SI)(R8*1), Y1 \
	VPADDD fours<>(SB), Y1, Y2 \
	VPCMPEQD (SI)(R8*1), Y2, Y2 \
	MOVL (SI)(R8*1), AX \
	ALL(Y2) \
	JNE ANY \
	VMOVDQU (DI)(R8*1), Y2 \
	VMOVDQU Y2, (R9)(AX*1) \
	JMP NEXT \
ANY: \
	PUTWORD(0) PUTWORD(4) PUTWORD(8) PUTWORD(12) PUTWORD(16) PUTWORD(20) PUTWORD(24) PUTWORD(28) \
NEXT: \
	ADDQ $32, R8 \
	CMPQ R8, EXTENT \
	JLT AGAIN

#define OPLOADLDS(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, SI) \
	PLACE(4, R10) \
	SHAPES \
	ALL(Y4) \
	JNE one \
	LDSAT(56, EXTENT) \
	LANES(FROM, moved) \
	NEXTOP \
one: \
	ALL(Y6) \
	JNE any \
	LDSAT(56, $4) \
	VPBROADCASTD (CX), Y0 \
	LANES(SPREAD, spread) \
	NEXTOP \
any: \
	GREATEST \
	LDSHAS(56) \
	MOVQ (R10), R9 \
	ADDQ 56(R12), R9 \
	GATHER(WORDROW, WORD, again, onerow, anyrow, next) \
	NEXTOP

FORMS(OPLOADLDS, ·opLoadLDS, ·nearLoadLDS, ·mixedLoadLDS, NOSTEP)

// Both offsets are checked before a register is written: it may be that of the addresses.
#define OPLOADLDS2(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, SI) \
	PLACE(4, R10) \
	SHAPES \
	ALL(Y4) \
	JNE one \
	LDSAT(40, EXTENT) \
	MOVQ CX, R8 \
	LDSAT(56, EXTENT) \
	XCHGQ CX, R8 \
	LANES(FROM, moved) \
	MOVQ R8, CX \
	ADDQ $256, DI \
	LANES(FROM, moved2) \
	NEXTOP \
one: \
	ALL(Y6) \
	JNE any \
	LDSAT(40, $4) \
	MOVQ CX, R8 \
	LDSAT(56, $4) \
	VPBROADCASTD (R8), Y0 \
	LANES(SPREAD, spread) \
	VPBROADCASTD (CX), Y0 \
	ADDQ $256, DI \
	LANES(SPREAD, spread2) \
	NEXTOP \
any: \
	GREATEST \
	LDSHAS(40) \
	LDSHAS(56) \
	MOVQ (R10), R10 \
	MOVQ R10, R9 \
	ADDQ 40(R12), R9 \
	ADDQ 56(R12), R10 \
	GATHER(WORDSROW, WORDS, again, onerow, anyrow, next) \
	NEXTOP

FORMS(OPLOADLDS2, ·opLoadLDS2, ·nearLoadLDS2, ·mixedLoadLDS2, NOSTEP)

// opLoadsLDS does what the ops after it do, which are as many as its place 2 says: see LoadsAhead. All have the offsets at
// SI. It goes through eight lanes at a time, of all ops. R9 is the beginning of LDS, R11 the last op.

// EVERY carries out DO for every op, which finds its offsets in DX and R10 and the place of its result, from CX on, in DI.
#define EVERY(AGAIN, DO) \
	MOVQ R12, BX \
AGAIN: \
	ADDQ $64, BX \
	MOVQ 16(BX), DI \
	MOVQ 40(BX), DX \
	MOVQ 56(BX), R10 \
	DO \
	CMPQ BX, R11 \
	JNE AGAIN

// The words of eight lanes, by an instruction that begins at those of the first, in front of which is AX.
#define PAIRROW(LOAD) \
	LOAD (AX)(DX*1), Y2 \
	LOAD (AX)(R10*1), Y3 \
	VMOVDQU Y2, (CX)(DI*1) \
	VMOVDQU Y3, 256(CX)(DI*1)

// The words of the lane n bytes after that at R8.
#define PAIR(n) \
	MOVL n(SI)(R8*1), AX \
	MOVL (DX)(AX*1), CX \
	MOVL CX, n(DI) \
	MOVL (R10)(AX*1), CX \
	MOVL CX, 256+n(DI)

#define PAIRS \
	LEAQ (R14)(R8*1), CX \
	ADDQ CX, DI \
	ADDQ R9, DX \
	ADDQ R9, R10 \
	PAIR(0) PAIR(4) PAIR(8) PAIR(12) PAIR(16) PAIR(20) PAIR(24) PAIR(28)

OP(·opLoadsLDS)
	NEAR(1, SI)
	PLACE(4, R10)
	GREATEST
	ADDQ 56(R12), CX
	CMPQ CX, 8(R10)
	JHI beyond
	MOVQ (R10), R9
	MOVQ 32(R12), R11
	SHLQ $6, R11
	ADDQ R12, R11
	XORL R8, R8
again:
	VMOVDQU (SI)(R8*1), Y0
	VPBROADCASTD (SI)(R8*1), Y1
	VPADDD fours<>(SB), Y1, Y2
	VPCMPEQD Y0, Y2, Y2
	VPCMPEQD Y0, Y1, Y1
	MOVL (SI)(R8*1), AX
	ADDQ R9, AX
	LEAQ (R14)(R8*1), CX
	ALL(Y2)
	JNE same
	EVERY(row, PAIRROW(VMOVDQU))
	JMP next
same:
	ALL(Y1)
	JNE any
	EVERY(one, PAIRROW(VPBROADCASTD))
	JMP next
any:
	EVERY(each, PAIRS)
next:
	ADDQ $32, R8
	CMPQ R8, EXTENT
	JLT again
	MOVQ R11, R12
beyond:
	NEXTOP

// func loadsCode(code *uintptr)
TEXT ·loadsCode(SB), NOSPLIT, $0-8
	MOVQ code+0(FP), DI
	LEAQ ·opLoadsLDS(SB), AX
	MOVQ AX, (DI)
	RET

#define OPSTORELDS(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, SI) \
	PLACE(4, R10) \
	SHAPES \
	ALL(Y4) \
	JNE any \
	LDSAT(56, EXTENT) \
	LANES(TO, moved) \
	NEXTOP \
any: \
	GREATEST \
	LDSHAS(56) \
	MOVQ (R10), R9 \
	ADDQ 56(R12), R9 \
	SCATTER(again, anyrow, next) \
	NEXTOP

FORMS(OPSTORELDS, ·opStoreLDS, ·nearStoreLDS, ·mixedStoreLDS, NOSTEP)

// Both offsets are checked before a word is written. Places that both mean get the second word.
#define OPSTORELDS2(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, SI) \
	PLACE(4, R10) \
	SHAPES \
	ALL(Y4) \
	JNE any \
	LDSAT(40, EXTENT) \
	MOVQ CX, R8 \
	LDSAT(56, EXTENT) \
	XCHGQ CX, R8 \
	LANES(TO, moved) \
	MOVQ R8, CX \
	AT(2, DI) \
	LANES(TO, moved2) \
	NEXTOP \
any: \
	GREATEST \
	LDSHAS(40) \
	LDSHAS(56) \
	MOVQ (R10), R10 \
	MOVQ R10, R9 \
	ADDQ 40(R12), R9 \
	SCATTER(again, anyrow, next) \
	MOVQ R10, R9 \
	ADDQ 56(R12), R9 \
	AT(2, DI) \
	SCATTER(again2, anyrow2, next2) \
	NEXTOP

FORMS(OPSTORELDS2, ·opStoreLDS2, ·nearStoreLDS2, ·mixedStoreLDS2, NOSTEP)

// KNOWN declines unless one of the four windows at R10 has so many bytes from CX on.
#define KNOWN(BYTES) \
	MOVL $4, R11 \
	MOVQ 8(R10), DX \
	CMPQ CX, (R10) \
	JCS 5(PC) \
	SUBQ CX, DX \
	JCS 3(PC) \
	CMPQ DX, BYTES \
	JCC 5(PC) \
	ADDQ $16, R10 \
	DECL R11 \
	JNE -9(PC) \
	DECLINE

// A row does not go over the end of 32 bits, nor do eight lanes of GATHER and SCATTER.
#define INORDER CMPL CX, $0xffffff00; JCS 2(PC); DECLINE;

// PAIRED is for addresses of 64 bits with one upper half, BASED for offsets of 32 bits from a scalar base.
#define PAIRED \
	VPBROADCASTD 256(SI), Y8 \
	VPCMPEQD Y9, Y9, Y9 \
	LANES(HIGHER, higher) \
	ALL(Y9) \
	JEQ 2(PC) \
	DECLINE \
	MOVL (SI), CX \
	INORDER \
	MOVL 256(SI), R9 \
	SHLQ $32, R9 \
	ADDQ R9, CX \
	ADDQ 56(R12), CX

#define BASED \
	MOVL (SI), CX \
	INORDER \
	PLACE(2, R9) \
	ADDQ (R9), CX \
	ADDQ 56(R12), CX

// APART is for words that are not a row, the first of which is at CX: it puts the address from which the offsets at SI
// count to R9, and declines unless one window has all words.
#define APART \
	MOVL (SI), AX \
	MOVQ CX, R9 \
	SUBQ AX, R9 \
	GREATEST \
	INORDER \
	MOVQ CX, R8 \
	LEAST \
	SUBQ CX, R8 \
	ADDQ $4, R8 \
	ADDQ R9, CX \
	KNOWN(R8)

// The word of lane 0 is fetched to the caches while the shape of the addresses is found. The processor ignores an address
// that is not mapped. A second fetch, for lane 16, cost loads from the first cache more than it gained for others.
#define PREFETCHPAIRED \
	MOVL (SI), CX \
	MOVL 256(SI), R9 \
	SHLQ $32, R9 \
	ADDQ 56(R12), CX \
	PREFETCHT0 (CX)(R9*1)

#define PREFETCHBASED \
	MOVL (SI), CX \
	PLACE(2, R9) \
	MOVQ (R9), R9 \
	ADDQ 56(R12), CX \
	PREFETCHT0 (CX)(R9*1)

#define LOADPAIRED(NAME, STEP, AT, FIRST) LOADROW(NAME, STEP, PREFETCHPAIRED, AT, FIRST)
#define LOADBASED(NAME, STEP, AT, FIRST) LOADROW(NAME, STEP, PREFETCHBASED, AT, FIRST)

#define LOADROW(NAME, STEP, PREFETCH, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, SI) \
	PREFETCH \
	PLACE(4, R10) \
	SHAPES \
	STEP \
	ALL(Y4) \
	JNE one \
	KNOWN(EXTENT) \
	LANES(FROM, moved) \
	NEXTOP \
one: \
	ALL(Y6) \
	JNE any \
	KNOWN($4) \
	VPBROADCASTD (CX), Y0 \
	LANES(SPREAD, spread) \
	NEXTOP \
any: \
	APART \
	GATHER(WORDROW, WORD, again, onerow, anyrow, next) \
	NEXTOP

FORMS(LOADPAIRED, ·opLoadGlobal, ·nearLoadGlobal, ·mixedLoadGlobal, PAIRED)
FORMS(LOADBASED, ·opLoadGlobalBased, ·nearLoadGlobalBased, ·mixedLoadGlobalBased, BASED)

#define STOREROW(NAME, STEP, AT, FIRST) \
OP(NAME) \
	AT(0, DI) \
	FIRST(1, SI) \
	PLACE(4, R10) \
	SHAPES \
	STEP \
	ALL(Y4) \
	JNE any \
	KNOWN(EXTENT) \
	LANES(TO, moved) \
	NEXTOP \
any: \
	APART \
	SCATTER(again, anyrow, next) \
	NEXTOP

FORMS(STOREROW, ·opStoreGlobal, ·nearStoreGlobal, ·mixedStoreGlobal, PAIRED)
FORMS(STOREROW, ·opStoreGlobalBased, ·nearStoreGlobalBased, ·mixedStoreGlobalBased, BASED)

// opLoadScalar loads so many bytes as its place 3 says to scalar registers, from a base, an offset in a register or a
// zero, and its last word, rounded down to words.
OP(·opLoadScalar)
	PLACE(1, SI)
	MOVL (SI), CX
	MOVL 4(SI), DX
	SHLQ $32, DX
	ORQ DX, CX
	PLACE(2, SI)
	MOVL (SI), AX
	ADDQ AX, CX
	ADDQ 56(R12), CX
	ANDQ $~3, CX
	PLACE(4, R10)
	MOVQ 40(R12), R8
	KNOWN(R8)
	PLACE(0, DI)
	CMPQ R8, $16
	JLT few
sixteen:
	VMOVDQU (CX), X0
	VMOVDQU X0, (DI)
	ADDQ $16, CX
	ADDQ $16, DI
	SUBQ $16, R8
	CMPQ R8, $16
	JGE sixteen
few:
	TESTQ $8, R8
	JEQ four
	MOVQ (CX), AX
	MOVQ AX, (DI)
	ADDQ $8, CX
	ADDQ $8, DI
four:
	TESTQ $4, R8
	JEQ loaded
	MOVL (CX), AX
	MOVL AX, (DI)
loaded:
	NEXTOP
