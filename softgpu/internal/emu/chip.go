package emu

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// chipLimits are the limits of a chip that matter for starting waves.
type chipLimits struct {
	units     int    // compute units
	simds     int    // of a compute unit
	waves     int    // waves that each SIMD holds
	registers int    // vector registers of a lane that waves of 64 share; waves of 32 have twice as many
	step      int    // vector registers of waves of 64 are allocated in multiples of it; zero: as the descriptor counts
	vgprs     int    // vector registers that a wave may have; zero: mostVGPRs
	lds       uint32 // bytes of workgroup memory of a compute unit, which one workgroup may use as a whole
	files     registerFiles

	packedIDs bool // the work-item IDs share v0, with ten bits each
	scratch   bool // the hardware sets flat_scratch, and no scalar register has the address of scratch

	addresses  int  // registers of the accumulators' file that bind.Addressed uses
	idsInTraps bool // the workgroup's IDs are in trap registers
}

// registerFiles says where accumulator registers are.
type registerFiles uint8

const (
	noAccumulators registerFiles = iota
	twoFiles                     // as many accumulators as other vector registers
	oneFile                      // after the others, from the descriptor's offset on
)

var limits = map[encoding.Chip]chipLimits{
	encoding.Gfx900: {units: 64, simds: 4, waves: 10, registers: 256, lds: 64 << 10},
	encoding.Gfx906: {units: 60, simds: 4, waves: 10, registers: 256, lds: 64 << 10},
	encoding.Gfx908: {units: 120, simds: 4, waves: 10, registers: 256, lds: 64 << 10, files: twoFiles},
	encoding.Gfx90a: {units: 104, simds: 4, waves: 8, registers: 512, lds: 64 << 10, files: oneFile, packedIDs: true},
	encoding.Gfx942: {units: 304, simds: 4, waves: 8, registers: 512, lds: 64 << 10, files: oneFile, packedIDs: true, scratch: true},
	encoding.Gfx950: {units: 256, simds: 4, waves: 8, registers: 512, lds: 160 << 10, files: oneFile, packedIDs: true, scratch: true},

	encoding.Gfx1030: gfx10(80),
	encoding.Gfx1031: gfx10(40),
	encoding.Gfx1032: gfx10(32),
	encoding.Gfx1033: gfx10(8),
	encoding.Gfx1034: gfx10(16),
	encoding.Gfx1035: gfx10(12),
	encoding.Gfx1036: gfx10(2),

	encoding.Gfx1100: gfx11(96, 768, 12),
	encoding.Gfx1101: gfx11(60, 768, 12),
	encoding.Gfx1102: gfx11(32, 512, 8),
	encoding.Gfx1103: gfx11(12, 512, 8),
	encoding.Gfx1150: gfx11(16, 512, 8),
	encoding.Gfx1151: gfx11(40, 768, 12),

	encoding.Gfx1200: gfx12(32),
	encoding.Gfx1201: gfx12(64),

	encoding.Gfx1250: gfx1250(),
	encoding.Gfx1251: gfx1250(),
}

// gfx10 returns the limits of a chip of RDNA2.
func gfx10(units int) chipLimits {
	return chipLimits{units: units, simds: 2, waves: 16, registers: 512, step: 8, lds: 64 << 10}
}

// gfx11 returns the limits of a chip of RDNA3 or 3.5.
func gfx11(units, registers, step int) chipLimits {
	return chipLimits{units: units, simds: 2, waves: 16, registers: registers, step: step, lds: 64 << 10, packedIDs: true, scratch: true}
}

// gfx12 returns the limits of a chip of RDNA4.
func gfx12(units int) chipLimits {
	c := gfx11(units, 768, 12)
	c.idsInTraps = true
	return c
}

// gfx1250 returns the limits of a chip of GFX12.5. How many compute units it has is not published.
func gfx1250() chipLimits {
	c := gfx12(256)
	c.registers, c.step, c.lds, c.vgprs = 512, 8, 320<<10, 1024
	c.addresses = bind.AddressRegisters
	return c
}

// mostVGPRs is the number of registers of either kind that an instruction of most chips can name.
const mostVGPRs = 256

// vectorRegisters returns the number of vector registers and of accumulators of a wave.
func (c *chipLimits) vectorRegisters(desc *codeobj.Descriptor) (vgprs, agprs int, err error) {
	vgprs = int(desc.VGPRs)
	most, all := max(c.vgprs, mostVGPRs), c.registers
	if desc.Wavefront32 {
		all = max(all, c.vgprs)
	}
	switch c.files {
	case twoFiles:
		agprs = vgprs
	case oneFile:
		vgprs = min(vgprs, int(desc.AccumOffset))
		agprs = int(desc.VGPRs) - vgprs
	}
	switch {
	case int(desc.VGPRs) > all:
		err = fmt.Errorf("%d VGPRs, more than the %d that exist", desc.VGPRs, all)
	case vgprs > most || agprs > most:
		err = fmt.Errorf("%d VGPRs and %d AGPRs, more than the %d that exist of each", vgprs, agprs, most)
	}
	return vgprs, agprs, err
}
