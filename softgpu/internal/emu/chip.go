package emu

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/gcn"
)

// chipLimits is what chips differ in, to whoever starts waves.
type chipLimits struct {
	units     int    // compute units
	waves     int    // that each of a unit's four SIMDs holds
	registers int    // vector registers of a lane that these waves share
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

var limits = map[gcn.Chip]chipLimits{
	gcn.Gfx900: {units: 64, waves: 10, registers: 256, lds: 64 << 10},
	gcn.Gfx906: {units: 60, waves: 10, registers: 256, lds: 64 << 10},
	gcn.Gfx908: {units: 120, waves: 10, registers: 256, lds: 64 << 10, files: twoFiles},
	gcn.Gfx90a: {units: 104, waves: 8, registers: 512, lds: 64 << 10, files: oneFile, packedIDs: true},
	gcn.Gfx942: {units: 304, waves: 8, registers: 512, lds: 64 << 10, files: oneFile, packedIDs: true, scratch: true},
	gcn.Gfx950: {units: 256, waves: 8, registers: 512, lds: 160 << 10, files: oneFile, packedIDs: true, scratch: true},
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
