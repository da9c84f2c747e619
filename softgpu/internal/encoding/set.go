package encoding

import "github.com/mgpu-runtime/mgpu/softgpu/internal/wave"

// Set is an instruction set: how a family of chips spells its instructions. What they
// mean, families share.
type Set uint8

// The instruction sets.
const (
	GFX9 Set = iota
	GFX10
	GFX11
	GFX12
	GFX1250
	numSets
)

// Set is the instruction set of the chip.
func (c Chip) Set() Set {
	switch m := c.Model(); {
	case m < NumGFX9:
		return GFX9
	case m < Gfx1100:
		return GFX10
	case m < Gfx1200:
		return GFX11
	case m < Gfx1250:
		return GFX12
	}
	return GFX1250
}

// encodingFacts are how many numbers an encoding has, where they sit in the first word, of
// VOP3PX in the third, and its size in bytes without a literal.
type encodingFacts struct {
	Numbers uint16
	Shift   uint8
	Size    uint8
}

// setFacts are the facts about a set for the decoder and the printer.
type setFacts struct {
	name          string // of the family, as a reader knows it
	Encodings     [NumEncodings]encodingFacts
	Segment       uint8  // FLAT: where the segment's two bits are
	gds           uint8  // DS: the gds bit
	Vop1InVOP3    uint16 // number of VOP1's first row in VOP3; VOP2's is Vop2InVOP3, VOPC's 0
	FirstVOP3     uint16 // rows from here on have no other form
	Sgprs         uint16 // ordinary scalar registers
	m0, null      uint16 // operand numbers; no null: noNull
	Halves        bool   // 16-bit operands are either half of a register
	KeepsHalves   bool   // 16-bit results leave the other half of a register alone
	PermuteHalves bool   // ds_permute and ds_bpermute stay within 32 lanes
	sdwa          bool
	dpp8          bool
	dppVOP3       bool // VOP3 and VOP3P have DPP
	specials      bool // vccz, execz, the exiting wave's id and lds_direct are sources
	literals      bool // in VOP3 and VOP3P
	wide          bool // literals of 64 bits, registers of several words that start at an even one, flat_scratch as a source

	MostWorkgroup uint32 // highest value of lgkmcnt
	Resource      wave.ResourceLayout
}

// noNull is a number that no operand has.
const noNull = 0xffff

// Sets are the facts of each set.
var Sets = [numSets]setFacts{
	GFX9: {
		name: "GFX9", Segment: 14, gds: 16, Vop1InVOP3: 0x140, FirstVOP3: 0x1c0, Sgprs: srcFlatScratch, m0: 124, null: noNull, sdwa: true, specials: true, MostWorkgroup: 15,
		Encodings: [NumEncodings]encodingFacts{
			SOP2: {128, 23, 4}, SOPK: {32, 23, 4}, SOP1: {256, 8, 4}, SOPC: {128, 16, 4}, SOPP: {128, 16, 4},
			SMEM: {256, 18, 8}, VOP2: {64, 25, 4}, VOP1: {256, 9, 4}, VOPC: {256, 17, 4},
			VOP3: {1024, 16, 8}, VOP3P: {128, 16, 8}, VINTRP: {4, 16, 4}, DS: {256, 17, 8},
			FLAT: {512, 18, 8}, MUBUF: {128, 18, 8}, MTBUF: {16, 15, 8}, MIMG: {128, 18, 8}, EXP: {1, 0, 8},
			VOP3PX: {128, 16, 16},
		},
	},
	GFX10: {
		name: "GFX10", Segment: 14, gds: 17, Vop1InVOP3: 0x180, FirstVOP3: 0x140, Sgprs: srcVcc, m0: 124, null: 125, KeepsHalves: true, PermuteHalves: true, sdwa: true, dpp8: true, specials: true, literals: true, MostWorkgroup: 63, Resource: wave.ResourceGFX10,
		Encodings: [NumEncodings]encodingFacts{
			SOP2: {128, 23, 4}, SOPK: {32, 23, 4}, SOP1: {256, 8, 4}, SOPC: {128, 16, 4}, SOPP: {128, 16, 4},
			SMEM: {256, 18, 8}, VOP2: {64, 25, 4}, VOP1: {256, 9, 4}, VOPC: {256, 17, 4},
			VOP3: {1024, 16, 8}, VOP3P: {256, 16, 8}, DS: {256, 18, 8},
			FLAT: {512, 18, 8}, MUBUF: {256, 18, 8}, MTBUF: {16, 16, 8},
		},
	},
	GFX11: {
		name: "GFX11", Segment: 16, gds: 17, Vop1InVOP3: 0x180, FirstVOP3: 0x200, Sgprs: srcVcc, m0: 125, null: 124, Halves: true, KeepsHalves: true, PermuteHalves: true, dpp8: true, dppVOP3: true, literals: true, MostWorkgroup: 63, Resource: wave.ResourceGFX11,
		Encodings: [NumEncodings]encodingFacts{
			SOP2: {128, 23, 4}, SOPK: {32, 23, 4}, SOP1: {256, 8, 4}, SOPC: {128, 16, 4}, SOPP: {128, 16, 4},
			SMEM: {256, 18, 8}, VOP2: {64, 25, 4}, VOP1: {256, 9, 4}, VOPC: {256, 17, 4},
			VOP3: {1024, 16, 8}, VOP3P: {256, 16, 8}, VOPD: {16, 22, 8}, VOPDY: {32, 17, 8}, DS: {256, 18, 8},
			FLAT: {512, 18, 8}, MUBUF: {256, 18, 8}, MTBUF: {16, 15, 8},
		},
	},
	GFX12: {
		name: "GFX12", Segment: 24, gds: 17, Vop1InVOP3: 0x180, FirstVOP3: 0x200, Sgprs: srcVcc, m0: 125, null: 124, Halves: true, KeepsHalves: true, dpp8: true, dppVOP3: true, literals: true, MostWorkgroup: 63, Resource: wave.ResourceGFX11,
		Encodings: [NumEncodings]encodingFacts{
			SOP2: {128, 23, 4}, SOPK: {32, 23, 4}, SOP1: {256, 8, 4}, SOPC: {128, 16, 4}, SOPP: {128, 16, 4},
			SMEM: {64, 13, 8}, VOP2: {64, 25, 4}, VOP1: {256, 9, 4}, VOPC: {256, 17, 4},
			VOP3: {1024, 16, 8}, VOP3P: {256, 16, 8}, VOPD: {16, 22, 8}, VOPDY: {32, 17, 8}, DS: {256, 18, 8},
			FLAT: {512, 14, 12}, MUBUF: {128, 14, 12}, MTBUF: {16, 14, 12},
		},
	},
	GFX1250: {
		name: "GFX12.5", Segment: 24, gds: 17, Vop1InVOP3: 0x180, FirstVOP3: 0x200, Sgprs: srcVcc, m0: 125, null: 124, Halves: true, KeepsHalves: true, dpp8: true, dppVOP3: true, literals: true, wide: true, MostWorkgroup: 63, Resource: wave.ResourceGFX11,
		Encodings: [NumEncodings]encodingFacts{
			SOP2: {128, 23, 4}, SOPK: {32, 23, 4}, SOP1: {256, 8, 4}, SOPC: {128, 16, 4}, SOPP: {128, 16, 4},
			SMEM: {64, 13, 8}, VOP2: {64, 25, 4}, VOP1: {256, 9, 4}, VOPC: {256, 17, 4},
			VOP3: {1024, 16, 8}, VOP3P: {256, 16, 8}, VOP3PX: {256, 16, 16}, VOPD: {16, 22, 8}, VOPDY: {32, 17, 8}, VOPD3: {64, 18, 12}, VOPD3Y: {64, 12, 12}, DS: {256, 18, 8},
			FLAT: {512, 14, 12}, MUBUF: {128, 14, 12}, VTENSOR: {256, 14, 12},
		},
	},
}

// Vop2InVOP3 is the number of VOP2's first row in VOP3.
const Vop2InVOP3 = 0x100

// Facts returns the facts about the set for the decoder and the printer.
func (s Set) Facts() *setFacts { return &Sets[s] }

// EncodingOf returns the encoding that a first word selects.
func (s Set) EncodingOf(w uint32) (Encoding, bool) {
	switch {
	case w>>31 == 0:
		switch w >> 25 {
		case 0x3f:
			return VOP1, true
		case 0x3e:
			return VOPC, true
		}
		return VOP2, true
	case w>>30 == 2:
		switch {
		case w>>23 == 0x17f:
			return SOPP, true
		case w>>23 == 0x17e:
			return SOPC, true
		case w>>23 == 0x17d:
			return SOP1, true
		case w>>28 == 0xb:
			return SOPK, true
		}
		return SOP2, true
	}
	if s == GFX9 && w>>23 == 0x1a7 || s != GFX9 && w>>24 == 0xcc {
		return VOP3P, true
	}
	if s == GFX1250 && w>>24 == 0xcf {
		return VOPD3, true
	}
	enc := byPrefix[s][w>>26&15]
	if s == GFX12 && enc == MUBUF && bit(w, 21) {
		return MTBUF, true
	}
	return enc, enc != SOP2
}

// byPrefix holds the encodings of words that start with the bits 11, by the four bits that follow.
var byPrefix = [numSets][16]Encoding{
	GFX9:  {0: SMEM, 1: EXP, 4: VOP3, 5: VINTRP, 6: DS, 7: FLAT, 8: MUBUF, 10: MTBUF, 12: MIMG},
	GFX10: {5: VOP3, 6: DS, 7: FLAT, 8: MUBUF, 10: MTBUF, 13: SMEM},
	GFX11: {2: VOPD, 5: VOP3, 6: DS, 7: FLAT, 8: MUBUF, 10: MTBUF, 13: SMEM},
	GFX12: {1: MUBUF, 2: VOPD, 5: VOP3, 6: DS, 11: FLAT, 13: SMEM},

	GFX1250: {1: MUBUF, 2: VOPD, 4: VTENSOR, 5: VOP3, 6: DS, 11: FLAT, 13: SMEM},
}

// Prefixes are the bits that select an encoding.
var Prefixes = [numSets][NumEncodings]uint32{
	GFX9: {
		SOP2: 0x80000000, SOPK: 0xb0000000, SOP1: 0xbe800000, SOPC: 0xbf000000, SOPP: 0xbf800000, SMEM: 0xc0000000,
		VOP2: 0, VOP1: 0x7e000000, VOPC: 0x7c000000, VOP3: 0xd0000000, VOP3P: 0xd3800000, VINTRP: 0xd4000000,
		DS: 0xd8000000, FLAT: 0xdc000000, MUBUF: 0xe0000000, MTBUF: 0xe8000000, MIMG: 0xf0000000, EXP: 0xc4000000,
		VOP3PX: 0xd3800000,
	},
	GFX10: {
		SOP2: 0x80000000, SOPK: 0xb0000000, SOP1: 0xbe800000, SOPC: 0xbf000000, SOPP: 0xbf800000, SMEM: 0xf4000000,
		VOP2: 0, VOP1: 0x7e000000, VOPC: 0x7c000000, VOP3: 0xd4000000, VOP3P: 0xcc000000,
		DS: 0xd8000000, FLAT: 0xdc000000, MUBUF: 0xe0000000, MTBUF: 0xe8000000,
	},
	GFX11: {
		SOP2: 0x80000000, SOPK: 0xb0000000, SOP1: 0xbe800000, SOPC: 0xbf000000, SOPP: 0xbf800000, SMEM: 0xf4000000,
		VOP2: 0, VOP1: 0x7e000000, VOPC: 0x7c000000, VOP3: 0xd4000000, VOP3P: 0xcc000000, VOPD: 0xc8000000,
		DS: 0xd8000000, FLAT: 0xdc000000, MUBUF: 0xe0000000, MTBUF: 0xe8000000,
	},
	GFX12: {
		SOP2: 0x80000000, SOPK: 0xb0000000, SOP1: 0xbe800000, SOPC: 0xbf000000, SOPP: 0xbf800000, SMEM: 0xf4000000,
		VOP2: 0, VOP1: 0x7e000000, VOPC: 0x7c000000, VOP3: 0xd4000000, VOP3P: 0xcc000000, VOPD: 0xc8000000,
		DS: 0xd8000000, FLAT: 0xec000000, MUBUF: 0xc4000000, MTBUF: 0xc4200000,
	},
	GFX1250: {
		SOP2: 0x80000000, SOPK: 0xb0000000, SOP1: 0xbe800000, SOPC: 0xbf000000, SOPP: 0xbf800000, SMEM: 0xf4000000,
		VOP2: 0, VOP1: 0x7e000000, VOPC: 0x7c000000, VOP3: 0xd4000000, VOP3P: 0xcc000000, VOP3PX: 0xcc000000, VOPD: 0xc8000000, VOPD3: 0xcf000000,
		DS: 0xd8000000, FLAT: 0xec000000, MUBUF: 0xc4000000, VTENSOR: 0xd0000000,
	},
}
