package emu

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// chipLimits is what chips differ in, to whoever starts waves.
type chipLimits struct {
	units     int    // compute units
	simds     int    // of a compute unit
	waves     int    // that each SIMD holds
	registers int    // vector registers of a lane that these waves of 64 share; those of 32 have twice as many
	step      int    // vector registers are given out in multiples of that many, to waves of 64; zero: as the descriptor counts
	lds       uint32 // bytes of workgroup memory of a compute unit, all of which one workgroup may have
	files     registerFiles

	packedIDs bool // the work-item ids share v0, ten bits each
	scratch   bool // the hardware sets flat_scratch, and no scalar register tells of scratch
}

// registerFiles tells where accumulator registers are.
type registerFiles uint8

const (
	noAccumulators registerFiles = iota
	twoFiles                     // as many accumulators as other vector registers
	oneFile                      // behind the others, from the descriptor's offset on
)

var limits = map[encoding.Chip]chipLimits{
	encoding.Gfx900: {units: 64, simds: 4, waves: 10, registers: 256, lds: 64 << 10},
	encoding.Gfx906: {units: 60, simds: 4, waves: 10, registers: 256, lds: 64 << 10},
	encoding.Gfx908: {units: 120, simds: 4, waves: 10, registers: 256, lds: 64 << 10, files: twoFiles},
	encoding.Gfx90a: {units: 104, simds: 4, waves: 8, registers: 512, lds: 64 << 10, files: oneFile, packedIDs: true},
	encoding.Gfx942: {units: 304, simds: 4, waves: 8, registers: 512, lds: 64 << 10, files: oneFile, packedIDs: true, scratch: true},
	encoding.Gfx950: {units: 256, simds: 4, waves: 8, registers: 512, lds: 160 << 10, files: oneFile, packedIDs: true, scratch: true},

	encoding.Gfx1100: gfx11(96, 768, 12),
	encoding.Gfx1101: gfx11(60, 768, 12),
	encoding.Gfx1102: gfx11(32, 512, 8),
	encoding.Gfx1103: gfx11(12, 512, 8),
	encoding.Gfx1150: gfx11(16, 512, 8),
	encoding.Gfx1151: gfx11(40, 768, 12),
}

// gfx11 are the limits of a chip of RDNA3 or 3.5.
func gfx11(units, registers, step int) chipLimits {
	return chipLimits{units: units, simds: 2, waves: 16, registers: registers, step: step, lds: 64 << 10, packedIDs: true, scratch: true}
}

// mostVGPRs is how many registers of either kind an instruction can name.
const mostVGPRs = 256

// vectorRegisters returns how many vector registers and accumulators a wave has.
func (c *chipLimits) vectorRegisters(desc *codeobj.Descriptor) (vgprs, agprs int, err error) {
	vgprs = int(desc.VGPRs)
	switch c.files {
	case twoFiles:
		agprs = vgprs
	case oneFile:
		vgprs = min(vgprs, int(desc.AccumOffset))
		agprs = int(desc.VGPRs) - vgprs
	}
	switch {
	case int(desc.VGPRs) > c.registers:
		err = fmt.Errorf("%d VGPRs, more than the %d that exist", desc.VGPRs, c.registers)
	case vgprs > mostVGPRs || agprs > mostVGPRs:
		err = fmt.Errorf("%d VGPRs and %d AGPRs, more than the %d that exist of each", vgprs, agprs, mostVGPRs)
	}
	return vgprs, agprs, err
}
