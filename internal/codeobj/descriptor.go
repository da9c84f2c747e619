package codeobj

import "strings"

// DescriptorSize is the length of a kernel descriptor in bytes.
const DescriptorSize = 64

// Descriptor is a kernel descriptor (amdhsa kernel_descriptor_t): what the
// hardware and the packet processor are told about a kernel.
type Descriptor struct {
	GroupSize   uint32 // bytes of statically allocated LDS
	PrivateSize uint32 // bytes of scratch per work-item
	KernargSize uint32 // bytes; 0 in older code objects: the metadata knows
	EntryOffset int64  // of the entry point, from the descriptor

	RSRC1, RSRC2, RSRC3 uint32 // COMPUTE_PGM_RSRC1..3, undecoded
	Properties          uint16 // kernel_code_properties, undecoded

	// From RSRC1.
	VGPRGranules    uint32 // granulated count, as encoded
	SGPRGranules    uint32
	VGPRs           uint32 // what the wave gets, AGPRs of a unified file included
	SGPRs           uint32 // likewise, VCC and the like included; 0 from gfx10 on, where all waves get the same
	RoundMode32     uint8  // 0 nearest even, 1 plus infinity, 2 minus infinity, 3 zero
	RoundMode16_64  uint8
	DenormMode32    uint8 // bit 0: keep denormal inputs; bit 1: keep denormal results
	DenormMode16_64 uint8
	FloatMode       uint8 // the four together: MODE[7:0]
	Privileged      bool
	DX10Clamp       bool // to gfx11
	IEEE            bool // to gfx11
	FP16Overflow    bool // gfx9 on
	WGPMode         bool // gfx10 on
	MemOrdered      bool // gfx10 on
	ForwardProgress bool // gfx10 on

	// From RSRC2.
	PrivateSegment   bool   // scratch is set up; to gfx90a the wave offset goes into an SGPR
	UserSGPRCount    uint32 // how many SGPRs are filled before the system's
	TrapHandler      bool
	WorkgroupIDX     bool // enabled system SGPRs, in this order
	WorkgroupIDY     bool
	WorkgroupIDZ     bool
	WorkgroupInfo    bool
	WorkItemIDs      uint8  // 0: x, 1: x and y, 2: x, y and z
	LDSGranules      uint32 // 0 in code objects: the packet processor fills it in
	ExceptionEnables uint8  // of RSRC2[30:24]
	AddressWatch     bool
	MemoryViolation  bool

	// From RSRC3, on gfx90a and gfx94x.
	AccumOffset uint32 // first AGPR's index in the unified file; else 0
	TgSplit     bool

	// From kernel_code_properties: enabled user SGPRs, in this order.
	PrivateSegmentBuffer bool // 4 SGPRs
	DispatchPtr          bool // 2
	QueuePtr             bool // 2
	KernargSegmentPtr    bool // 2
	DispatchID           bool // 2
	FlatScratchInit      bool // 2
	PrivateSegmentSize   bool // 1
	Wavefront32          bool
	UsesDynamicStack     bool

	// Kernel arguments that are loaded into user SGPRs, behind those above.
	PreloadLength uint32 // in dwords
	PreloadOffset uint32 // in dwords, in the kernarg segment
}

// bits returns width bits of v from shift on.
func bits(v uint32, shift, width uint) uint32 { return v >> shift & (1<<width - 1) }

func bit(v uint32, shift uint) bool { return v>>shift&1 != 0 }

// decodeDescriptor decodes DescriptorSize bytes for a chip.
func decodeDescriptor(b []byte, chip string) Descriptor {
	r1, r2, r3 := le.Uint32(b[48:]), le.Uint32(b[52:]), le.Uint32(b[44:])
	props, preload := le.Uint16(b[56:]), uint32(le.Uint16(b[58:]))
	p := uint32(props)
	d := Descriptor{
		GroupSize:   le.Uint32(b),
		PrivateSize: le.Uint32(b[4:]),
		KernargSize: le.Uint32(b[8:]),
		EntryOffset: int64(le.Uint64(b[16:])),

		RSRC1: r1, RSRC2: r2, RSRC3: r3, Properties: props,

		VGPRGranules:    bits(r1, 0, 6),
		SGPRGranules:    bits(r1, 6, 4),
		RoundMode32:     uint8(bits(r1, 12, 2)),
		RoundMode16_64:  uint8(bits(r1, 14, 2)),
		DenormMode32:    uint8(bits(r1, 16, 2)),
		DenormMode16_64: uint8(bits(r1, 18, 2)),
		FloatMode:       uint8(bits(r1, 12, 8)),
		Privileged:      bit(r1, 20),
		DX10Clamp:       bit(r1, 21),
		IEEE:            bit(r1, 23),
		FP16Overflow:    bit(r1, 26),
		WGPMode:         bit(r1, 29),
		MemOrdered:      bit(r1, 30),
		ForwardProgress: bit(r1, 31),

		PrivateSegment:   bit(r2, 0),
		UserSGPRCount:    bits(r2, 1, 5),
		TrapHandler:      bit(r2, 6),
		WorkgroupIDX:     bit(r2, 7),
		WorkgroupIDY:     bit(r2, 8),
		WorkgroupIDZ:     bit(r2, 9),
		WorkgroupInfo:    bit(r2, 10),
		WorkItemIDs:      uint8(bits(r2, 11, 2)),
		AddressWatch:     bit(r2, 13),
		MemoryViolation:  bit(r2, 14),
		LDSGranules:      bits(r2, 15, 9),
		ExceptionEnables: uint8(bits(r2, 24, 7)),

		PrivateSegmentBuffer: bit(p, 0),
		DispatchPtr:          bit(p, 1),
		QueuePtr:             bit(p, 2),
		KernargSegmentPtr:    bit(p, 3),
		DispatchID:           bit(p, 4),
		FlatScratchInit:      bit(p, 5),
		PrivateSegmentSize:   bit(p, 6),
		Wavefront32:          bit(p, 10),
		UsesDynamicStack:     bit(p, 11),

		PreloadLength: bits(preload, 0, 7),
		PreloadOffset: bits(preload, 7, 9),
	}
	g := granularity(chip, d.Wavefront32)
	d.VGPRs = (d.VGPRGranules + 1) * g.vgprs
	if g.sgprs > 0 {
		d.SGPRs = (d.SGPRGranules/g.sgprStep + 1) * g.sgprs
	}
	if g.unified {
		d.AccumOffset = (bits(r3, 0, 6) + 1) * 4
		d.TgSplit = bit(r3, 16)
	}
	return d
}

// registers says how RSRC1 counts registers.
type registers struct {
	vgprs, sgprs uint32 // in one granule; sgprs 0: not counted
	sgprStep     uint32 // encoded steps per SGPR granule
	unified      bool   // AGPRs live in the VGPR file
}

func granularity(chip string, wave32 bool) registers {
	n := strings.TrimPrefix(chip, "gfx")
	switch {
	case strings.HasPrefix(n, "125") && wave32:
		return registers{vgprs: 16}
	case strings.HasPrefix(n, "1"):
		if wave32 {
			return registers{vgprs: 8}
		}
		return registers{vgprs: 4}
	case n == "90a" || strings.HasPrefix(n, "94") || strings.HasPrefix(n, "95") || strings.HasPrefix(n, "9-4"):
		return registers{vgprs: 8, sgprs: 16, sgprStep: 2, unified: true}
	case strings.HasPrefix(n, "9"):
		return registers{vgprs: 4, sgprs: 16, sgprStep: 2}
	}
	return registers{vgprs: 4, sgprs: 8, sgprStep: 1}
}
