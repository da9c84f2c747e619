package encoding

import "github.com/mgpu-runtime/mgpu/softgpu/internal/wave"

// Encoding is the bit layout that an instruction word uses.
type Encoding uint8

// The encodings.
const (
	SOP2 Encoding = iota
	SOPK
	SOP1
	SOPC
	SOPP
	SMEM
	VOP2
	VOP1
	VOPC
	VOP3 // VOP3a and VOP3b: the latter has a scalar destination in place of abs
	VOP3P
	VINTRP
	DS
	FLAT // flat, global and scratch, by segment
	MUBUF
	MTBUF
	MIMG
	EXP
	VOP3PX // two VOP3P instructions in one: the scales, and the matrix instruction that they are for
	VOPD   // RDNA: two vector instructions in one, X and Y
	VOPDY  // the second of them: numbers of their own, no word begins so
	VOPD3  // GFX12.5: likewise with three sources each
	VOPD3Y
	VTENSOR // GFX12.5: copies of tensors between memory and LDS
	NumEncodings
)

// Suffix tells the forms that a VOP1, VOP2 or VOPC instruction can have beside its plain one.
type Suffix uint8

// The suffixes.
const (
	Plain Suffix = iota
	SDWA
	DPP
	DPP8 // RDNA: any of the eight lanes of a group
)

// Row is one instruction: everything that is known about it, in one place.
type Row struct {
	Op    uint16  // number in its encoding
	Name  string  // LLVM's mnemonic, without _e32, _e64, _sdwa, _dpp
	Form  *Form   // operands: which fields they sit in, how wide they are
	Do    Meaning // its function; nil: decoded and printed, refused when a kernel has it
	Chips Chips   // which chips have it; zero: all. Two rows may share a number on different chips
	Like  string  // the name of GFX9's row that it shares form and meaning with; empty: its own name

	Fidelity *Fidelity // how its results compare with a chip's; nil: exact
}

// Kin is the name that the row's meaning has in tables by name: GFX9's.
func (r *Row) Kin() string {
	if r.Like != "" {
		return r.Like
	}
	return r.Name
}

// Meaning binds an instruction to its operands, once, when its module is
// loaded; the Step that it returns is run for each wave that reaches it.
type Meaning func(*Inst) Step

// Step executes one bound instruction for one wave.
type Step func(*wave.Wave)

// OperandKind is the kind of thing that an operand refers to.
type OperandKind uint8

// The kinds of operands, and which fields of an [Operand] they have.
const (
	NoOperand OperandKind = iota
	SReg                  // Reg: an index of Wave.S, in the numbers of GFX9: 102/103 flat_scratch and 104/105 xnack_mask of GFX9, 106/107 vcc, 108-123 ttmp, 124 m0, 126/127 exec
	VReg                  // Reg: VGPR number
	AReg                  // Reg: accumulator VGPR number (gfx908 and later)
	Const                 // Value: an inline constant's bits (floats in f32, whatever the operand is) or a literal (Code 255)
	Special               // Reg: the source number of vccz, execz, scc, lds_direct, pops, shared and private base and limit
)

// Operand is one decoded operand.
type Operand struct {
	Kind  OperandKind
	Width uint8  // in 32-bit registers; 0 for less than one (16-bit operands count as 1)
	Reg   uint16 // first register
	Code  uint16 // the 9-bit source number as encoded: tells inline constants apart
	Value uint32 // Const: literal or integer inline value; inline floats: the number in f32 bits
	High  uint32 // Const with Code 254: the literal's upper half
}

// MostBytes is how long an instruction can be.
const MostBytes = 16

// Inst is one decoded instruction.
type Inst struct {
	Row    *Row
	Chip   Chip     // whose instruction it is, without the size of waves
	Wave32 bool     // it is for waves of 32
	Clears bool     // a load to half of a register clears the other half
	High   HighBits // that its registers have got by Raise
	Enc    Encoding // the encoding used here: VOP3 for the e64 form of a VOP1 row
	Suffix Suffix
	Size   uint8  // in bytes: 4, 8, 12 or 16
	Offset uint32 // of the instruction in the text that was decoded, in bytes

	Dst  Operand    // vector or scalar destination; memory: the register that a load or a returning atomic writes
	SDst Operand    // second, scalar destination: carry out, VOP3 compare, div_scale
	Src  [4]Operand // sources in the order in which LLVM prints them; stores: the data is a source

	// Modifiers of VOP3, VOP3P, SDWA and DPP; bit n belongs to Src[n].
	Neg, Abs, OpSel, OpSelHi, NegHi, Sext uint8
	Clamp                                 bool
	Omod                                  uint8 // 0: none, 1: *2, 2: *4, 3: /2

	DstSel, DstUnused, Src0Sel, Src1Sel uint8 // SDWA: as encoded, 6 is the whole register

	DPPCtrl           uint16
	RowMask, BankMask uint8
	BoundCtrl         bool
	Fetch             bool   // DPP, DPP8: lanes that are not active are read
	Lanes8            uint32 // DPP8: for each lane of a group which one it reads, three bits each
	Imm               int32  // SOPP and SOPK simm16, memory offset (sign-extended but for flat and buffers), DS: offset0 | offset1<<8
	GLC, SLC, LDS     bool   // from gfx942 on GLC and SLC are called sc0 and nt
	SC1               bool   // sc1; scc on gfx90a
	DLC               bool   // RDNA
	TH, Scope         uint8  // GFX12: how caches are used, as encoded; GLC is set for atomics that return
	NV, ScaleOffset   bool   // GFX12
	OffEn, IdxEn, TFE bool   // MUBUF, MTBUF; SMEM: OffEn means that the offset is Src's SGPR
	Seg               uint8  // FLAT: 0 flat, 1 scratch, 2 global
	GDS               bool
	DFmt, NFmt, DMask uint8
	CBSZ, ABID, BLGP  uint8      // matrix instructions: how A and B are broadcast, as encoded
	Scale             [2]Operand // VOP3PX: the registers of A's and B's scales; OpSel and OpSelHi choose their bytes
	Scale16           bool       // VOP3PX of GFX12.5: a byte of scale for 16 entries, not 32
	ScaleRow          [2]uint8   // which lanes have A's and B's scales
	ScaleFormat       [2]uint8   // of A's and B's
	Reuse             uint8      // matrix instructions of GFX12.5: hints that A and B are those of the one before
	Second            *Inst      // VOPD: the Y half; the X half is this one
	AsPart            *Part      // where its meaning notes how it runs as a part of a run; nil: not needed
	Extra             uint32     // further fields: constants smem*, interp*, image*, exp* say which; with TruthTable that
}
