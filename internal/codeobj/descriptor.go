package codeobj

import "strings"

// DescriptorSize is the length of a kernel descriptor in bytes.
const DescriptorSize = 64

// Descriptor is a kernel descriptor (amdhsa kernel_descriptor_t): what the hardware and the packet processor need to
// know about a kernel.
type Descriptor struct {
	GroupSize   uint32 // bytes of statically allocated LDS
	PrivateSize uint32 // bytes of scratch per work-item
	KernargSize uint32 // bytes; 0 in older code objects, in which only the metadata has it
	EntryOffset int64  // offset of the entry point from the descriptor

	// From COMPUTE_PGM_RSRC1.
	VGPRs        uint32 // allocated to a wave, including AGPRs of a unified file
	SGPRs        uint32 // allocated to a wave, including VCC and the like; 0 from gfx10 on, where it is constant
	FloatMode    uint8  // MODE[7:0]: rounding of f32, rounding of f16 and f64, then denormals of both; two bits each
	DX10Clamp    bool   // up to gfx11
	IEEE         bool   // up to gfx11
	FP16Overflow bool   // from gfx9 on
	WGPMode      bool   // from gfx10 to gfx12: a workgroup uses both compute units of a workgroup processor

	// From COMPUTE_PGM_RSRC2.
	PrivateSegment bool   // scratch is set up; up to gfx90a an SGPR has the wave offset
	UserSGPRCount  uint32 // number of SGPRs that are filled before the system SGPRs
	WorkgroupIDX   bool   // enabled system SGPRs, in this order
	WorkgroupIDY   bool
	WorkgroupIDZ   bool
	WorkgroupInfo  bool
	WorkItemIDs    uint8 // 0: x, 1: x and y, 2: x, y and z

	// From COMPUTE_PGM_RSRC3, on gfx90a and gfx94x.
	AccumOffset uint32 // index of the first AGPR in the unified file; otherwise 0
	SplitsGroup bool   // threadgroup split mode: the waves of a workgroup may be on several compute units

	// From COMPUTE_PGM_RSRC3, on gfx125x.
	NamedBarriers uint32 // of a workgroup; a multiple of 4

	// From kernel_code_properties.
	KernargPreload   uint32 // SGPRs that are filled with kernel arguments, on gfx125x, after the other user SGPRs
	PreloadFrom      uint32 // the first such word of the kernarg segment
	UserSGPRs        uint8  // enabled registers, from bit 0 on in the order of the registers
	Wavefront32      bool
	UsesDynamicStack bool
}

// bits returns width bits of v from shift on.
func bits(v uint32, shift, width uint) uint32 { return v >> shift & (1<<width - 1) }

func bit(v uint32, shift uint) bool { return v>>shift&1 != 0 }

// DecodeDescriptor decodes DescriptorSize bytes for a chip.
func DecodeDescriptor(b []byte, chip string) Descriptor {
	r1, r2, r3 := le.Uint32(b[48:]), le.Uint32(b[52:]), le.Uint32(b[44:])
	props := uint32(le.Uint16(b[56:]))
	d := Descriptor{
		GroupSize:   le.Uint32(b),
		PrivateSize: le.Uint32(b[4:]),
		KernargSize: le.Uint32(b[8:]),
		EntryOffset: int64(le.Uint64(b[16:])),

		FloatMode:    uint8(bits(r1, 12, 8)),
		DX10Clamp:    bit(r1, 21),
		IEEE:         bit(r1, 23),
		FP16Overflow: bit(r1, 26),
		WGPMode:      bit(r1, 29) && hasWGPs(chip),

		PrivateSegment: bit(r2, 0),
		UserSGPRCount:  bits(r2, 1, 5),
		WorkgroupIDX:   bit(r2, 7),
		WorkgroupIDY:   bit(r2, 8),
		WorkgroupIDZ:   bit(r2, 9),
		WorkgroupInfo:  bit(r2, 10),
		WorkItemIDs:    uint8(bits(r2, 11, 2)),

		UserSGPRs:        uint8(bits(props, 0, 7)),
		Wavefront32:      bit(props, 10),
		UsesDynamicStack: bit(props, 11),
	}
	if gfx125(chip) {
		d.UserSGPRCount = bits(r2, 1, 6)
		d.NamedBarriers = 4 * bits(r3, 14, 3)
		preload := uint32(le.Uint16(b[58:]))
		d.KernargPreload, d.PreloadFrom = bits(preload, 0, 7), bits(preload, 7, 9)
	}
	g := granularity(chip, d.Wavefront32)
	d.VGPRs = (bits(r1, 0, 6) + 1) * g.vgprs
	if g.sgprs > 0 {
		d.SGPRs = (bits(r1, 6, 4)/g.sgprStep + 1) * g.sgprs
	}
	if g.unified {
		d.AccumOffset = (bits(r3, 0, 6) + 1) * 4
		d.SplitsGroup = bit(r3, 16)
	}
	return d
}

// registers says how RSRC1 encodes the number of registers.
type registers struct {
	vgprs, sgprs uint32 // registers per granule; sgprs 0: not encoded
	sgprStep     uint32 // encoded steps per SGPR granule
	unified      bool   // AGPRs are part of the VGPR file
}

// gfx125 reports whether a chip is one of GFX12.5.
func gfx125(chip string) bool { return strings.HasPrefix(chip, "gfx125") }

// hasWGPs reports whether a chip pairs its compute units to workgroup processors.
func hasWGPs(chip string) bool { return strings.HasPrefix(chip, "gfx1") && !gfx125(chip) }

func granularity(chip string, wave32 bool) registers {
	n := strings.TrimPrefix(chip, "gfx")
	switch {
	case gfx125(chip) && wave32:
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
