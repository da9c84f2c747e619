package encoding

// Form describes a row's operands: where their numbers sit in the
// instruction word, how many registers they span and how their bits are read.
// Operands keep the order of LLVM's text; a Slot of class NoSlot is absent.
type Form struct {
	Dst, SDst Slot
	Src       [4]Slot
	Imm       ImmKind
	Flags     FormFlags
}

// Has reports whether every one of the flags is set.
func (f *Form) Has(flags FormFlags) bool { return f.Flags&flags == flags }

// Slot is the place of one operand in a form.
type Slot struct {
	Class Class
	Width uint8 // in 32-bit registers; a 16-bit operand takes one
	Type  Type
	Mods  Mods
	Place Place
}

// Class is the class of things that an operand may refer to.
type Class uint8

// The classes of operands.
const (
	NoSlot      Class = iota
	AnySrc            // register, inline constant, special value or literal
	VectorOnly        // vector register
	AccOnly           // accumulator register
	ScalarOnly        // scalar register; a source may be an inline constant or special value as well
	SGPROnly          // scalar register and nothing else
	CarryIn           // scalar register pair, vcc where the encoding has no field for it
	CarryOut          // likewise, a destination
	LitK              // the literal that follows the word, always there
	InterpParam       // p10, p20 or p0
)

// Type tells how the bits of an operand are read, as far as constants and
// modifiers depend on it: an inline 1.0 is 0x3c00 in a Float16 operand.
type Type uint8

// The types of operands, by size and by whether constants and modifiers are those of floats.
const (
	NoType Type = iota
	Bits16
	Float16
	Bits32
	Float32
	Bits64
	Float64
	Bits128
	PackedBits16  // two 16-bit integers in one register
	PackedFloat16 // two halves in one register
	PackedFloat32 // two singles in two registers
	BFloat16
	PackedBFloat16 // two bfloats in one register
	PackedFloat8   // matrices' entries
	PackedBits8
	PackedBits4
)

// Mods tells which modifiers a source takes.
type Mods uint8

const (
	NoMods      Mods = iota // none; sext in SDWA forms; a set bit is an unknown instruction
	FloatMods               // neg and abs
	IgnoredMods             // neg and abs have bits in the word, which do nothing; sext in SDWA forms
)

// Place tells which bits of the word hold an operand's number. Vector
// arithmetic has several encodings for one row, so its places are Implied by
// the operand's position.
type Place uint8

// The places of operands, in bits from the first of the instruction.
const (
	Implied   Place = iota
	AtSsrc0         // SOP1, SOP2, SOPC: bits 0-7
	AtSsrc1         // SOP2, SOPC: 8-15
	AtSdst          // SOP1, SOP2, SOPK: 16-22
	AtSbase         // SMEM: 0-5, in pairs
	AtSdata         // SMEM: 6-12
	AtSoffset       // SMEM: a register in the offset's place; MUBUF, MTBUF: 56-63
	AtAddr          // vector memory, EXP: 32-39; VINTRP: 0-7
	AtData0         // vector memory, EXP: 40-47
	AtData1         // DS, EXP: 48-55
	AtVdst          // DS, FLAT, EXP: 56-63; VINTRP: 18-25
	AtSaddr         // FLAT: 48-54
	AtSrsrc         // MUBUF, MTBUF, MIMG: 48-52, in fours
	AtSsamp         // MIMG: 53-57, in fours
	AtInterp        // VOP3 interpolation: 41-49
	AtSrc2          // VOP3 interpolation: 50-58
)

// ImmKind tells how an instruction's 16-bit immediate reads.
type ImmKind uint8

// The kinds of immediates.
const (
	NoImm         ImmKind = iota
	ImmZero               // no immediate: the field must be 0
	ImmHex                // a number
	ImmDec                // a number, unsigned
	ImmDecNonzero         // a number that is left out where it is 0
	ImmBranch             // distance in words from the next instruction
	ImmWaitcnt            // counters
	ImmSendmsg            // message, operation and stream
	ImmHwreg              // hardware register, first bit and size
	ImmGprIdx             // which operands are indexed
	ImmDelay              // s_delay_alu
	ImmDepctr             // s_waitcnt_depctr
	ImmVersion            // s_version
	ImmMessage            // a message in the place of source 0
)

// FormFlags are properties of a form that no operand shows.
type FormFlags uint64

const (
	HasClamp      FormFlags = 1 << iota // VOP3 form takes clamp
	HasOmod                             // VOP3 form takes omod
	HasOpSel                            // VOP3 form takes op_sel
	NoVOP3                              // VOP1, VOP2, VOPC row without a VOP3 form
	NoSDWA                              // without an SDWA form
	NoDPP                               // without a DPP form
	PackedMods                          // VOP3P: op_sel_hi and neg_hi select and negate halves
	MixMods                             // VOP3P: op_sel_hi tells halves from singles, neg_hi is abs
	Interp                              // attribute number and channel
	InterpHigh                          // and which half of the attribute
	HasOffset                           // SMEM, DS: one offset
	TwoOffsets                          // DS: two offsets of 8 bits
	Swizzle                             // DS: the offset is a lane pattern
	GDSOnly                             // DS: the gds bit must be set
	NoGDS                               // DS: it must not
	Atomic                              // returns the value before where glc is set: Dst is absent without it
	HasLDS                              // loads into LDS where lds is set: Dst is absent then
	HasWideLDS                          // likewise, from gfx950 on
	HasTFE                              // one more register of data where tfe is set
	HasD16                              // MIMG: data are halves where d16 is set
	Gather                              // MIMG: four results whatever dmask is
	ProbeKind                           // SMEM: the data field is a number
	Matrix                              // VOP3P: matrix operands, of which some or all may be accumulators
	Sparse                              // Matrix: the result is an operand as well, source 2 an index
	AccMove                             // VOP3P: a move from or to an accumulator, without modifiers
	ByteSel                             // VOP3: two of the bits of op_sel choose a byte of the destination
	FloatAtomic                         // Atomic: gfx908 returns nothing, gfx90a has no scc bit
	NoDstSel                            // SDWA: the whole destination is written
	CachePolicy                         // MUBUF without operands: which caches
	FromLDS                             // MUBUF: data come from LDS, the lds bit is set
	MatrixNeg                           // Matrix: from gfx942 on, blgp negates operands
	MatrixFormats                       // Matrix: cbsz and blgp tell the formats of A and B, which decide their widths
	Unaligned                           // the destination may start at an odd register, whatever the chip
	Scales                              // VOP3P: the scales of the matrix instruction that follows
	SwapLanes                           // VOP3: the bits of op_sel are fi and bound_ctrl
	TruthTable                          // VOP3: omod, abs and neg are a truth table
	Accumulates                         // VOP3: op_sel has a bit for the destination as a source
	ToExec                              // a comparison whose result goes to EXEC, and no other mask
	Spread                              // FLAT: the result takes half as many registers in waves of 64
	Prefetch                            // SMEM: the data field is a length
	WMMA                                // Matrix: of RDNA; widths are those of waves of 32
	Reuse                               // WMMA: of GFX12.5, with its modifiers
	ScaleSel                            // VOP3: op_sel chooses a byte of the scale
	Bare                                // a VOP1 row whose name has no suffix
	TensorStop                          // FLAT: neither operands nor an offset, whatever their fields are
	LoadPolicy                          // FLAT, VTENSOR: caches are used as by a load, though there is no destination
)

// Registers returns how many hold a value of the type.
func (t Type) Registers() uint8 {
	switch t {
	case Bits64, Float64, PackedFloat32:
		return 2
	case Bits128:
		return 4
	}
	return 1
}
