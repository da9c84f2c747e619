package hsa

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// chip describes a GPU to the runtime.
type chip struct {
	id      encoding.Chip
	model   *Model
	xnack   bool
	sramecc bool
}

// code is the chip as code in waves of 32 or 64 is decoded for it.
func (c *chip) code(wave32 bool) encoding.Chip {
	if !c.sramecc {
		return c.id.InWaves(wave32).WithoutECC()
	}
	return c.id.InWaves(wave32)
}

// Model has the properties that one of AMD's products reports.
type Model struct {
	Name                  string // AMD's for the chip
	Major, Minor, Step    uint64 // of the instruction set
	Device, Family        uint64
	Engines, Arrays, Unit uint64 // shader engines, arrays in each, compute units in each array before some are switched off
	Lanes                 uint64 // of a wave, as code is compiled unless it says otherwise
	Clock                 uint64 // MHz
	Tiles                 uint64 // GB_ADDR_CONFIG
	XCC                   uint64
	SDMA                  uint64 // copy engines that are reported
	XGMI                  bool   // links between GPUs that are AMD's own, and not PCI express
	ECC                   bool   // of the register files and LDS, unless switched off
}

var models = map[encoding.Chip]*Model{
	encoding.Gfx900: {Name: "vega10", Major: 9, Minor: 0, Step: 0, Device: 0x6860, Family: 141, Engines: 4, Arrays: 1, Unit: 16, Lanes: 64, Clock: 1500, Tiles: 0x2a114042, XCC: 1},
	encoding.Gfx906: {Name: "vega20", Major: 9, Minor: 0, Step: 6, Device: 0x66a1, Family: 141, Engines: 4, Arrays: 1, Unit: 15, Lanes: 64, Clock: 1725, Tiles: 0x2a114042, XCC: 1, ECC: true},
	encoding.Gfx908: {Name: "arcturus", Major: 9, Minor: 0, Step: 8, Device: 0x738c, Family: 141, Engines: 8, Arrays: 1, Unit: 15, Lanes: 64, Clock: 1502, Tiles: 0x22014042, XCC: 1, XGMI: true, ECC: true},
	encoding.Gfx90a: {Name: "aldebaran", Major: 9, Minor: 0, Step: 10, Device: 0x740f, Family: 141, Engines: 8, Arrays: 1, Unit: 13, Lanes: 64, Clock: 1700, Tiles: 0x22014042, XCC: 1, XGMI: true, ECC: true},
	encoding.Gfx942: {Name: "aqua_vanjaram", Major: 9, Minor: 4, Step: 2, Device: 0x74a1, Family: 141, Engines: 32, Arrays: 1, Unit: 10, Lanes: 64, Clock: 2100, Tiles: 0x22014042, XCC: 8, SDMA: 2, XGMI: true, ECC: true},
	encoding.Gfx950: {Name: "ip discovery", Major: 9, Minor: 5, Step: 0, Device: 0x75a0, Family: 141, Engines: 32, Arrays: 1, Unit: 8, Lanes: 64, Clock: 2400, Tiles: 0x22014042, XCC: 8, SDMA: 2, XGMI: true, ECC: true},

	encoding.Gfx1030: rdna(10, Model{Name: "sienna_cichlid", Minor: 3, Step: 0, Device: 0x73bf, Family: 143, Engines: 4, Unit: 10, Clock: 2250, Tiles: 0x444}),
	encoding.Gfx1031: rdna(10, Model{Name: "navy_flounder", Minor: 3, Step: 1, Device: 0x73df, Family: 143, Engines: 2, Unit: 10, Clock: 2581, Tiles: 0x444}),
	encoding.Gfx1032: rdna(10, Model{Name: "dimgrey_cavefish", Minor: 3, Step: 2, Device: 0x73ff, Family: 143, Engines: 2, Unit: 8, Clock: 2491, Tiles: 0x343}),
	encoding.Gfx1033: rdna(10, Model{Name: "vangogh", Minor: 3, Step: 3, Device: 0x163f, Family: 144, Engines: 1, Unit: 4, Clock: 1600, Tiles: 0x242}),
	encoding.Gfx1034: rdna(10, Model{Name: "beige_goby", Minor: 3, Step: 4, Device: 0x743f, Family: 143, Engines: 1, Unit: 8, Clock: 2815, Tiles: 0x242}),
	encoding.Gfx1035: rdna(10, Model{Name: "yellow_carp", Minor: 3, Step: 5, Device: 0x1681, Family: 146, Engines: 1, Unit: 6, Clock: 2400, Tiles: 0x242}),
	encoding.Gfx1036: rdna(10, Model{Name: "raphael", Minor: 3, Step: 6, Device: 0x164e, Family: 149, Engines: 1, Unit: 1, Clock: 2200, Tiles: 0x242}),

	encoding.Gfx1100: rdna(11, Model{Name: "navi31", Step: 0, Device: 0x744c, Family: 145, Engines: 6, Unit: 8, Clock: 2500, Tiles: 0x545}),
	encoding.Gfx1101: rdna(11, Model{Name: "navi32", Step: 1, Device: 0x747e, Family: 145, Engines: 3, Unit: 10, Clock: 2430, Tiles: 0x444}),
	encoding.Gfx1102: rdna(11, Model{Name: "navi33", Step: 2, Device: 0x7480, Family: 145, Engines: 2, Unit: 8, Clock: 2655, Tiles: 0x343}),
	encoding.Gfx1103: rdna(11, Model{Name: "phoenix", Step: 3, Device: 0x15bf, Family: 148, Engines: 1, Unit: 6, Clock: 2700, Tiles: 0x242}),
	encoding.Gfx1150: rdna(11, Model{Name: "strix", Minor: 5, Step: 0, Device: 0x150e, Family: 150, Engines: 1, Unit: 8, Clock: 2900, Tiles: 0x242}),
	encoding.Gfx1151: rdna(11, Model{Name: "strix halo", Minor: 5, Step: 1, Device: 0x1586, Family: 150, Engines: 2, Unit: 10, Clock: 2900, Tiles: 0x343}),

	encoding.Gfx1200: rdna(12, Model{Name: "navi44", Step: 0, Device: 0x7590, Family: 152, Engines: 2, Unit: 8, Clock: 3130, Tiles: 0x343}),
	encoding.Gfx1201: rdna(12, Model{Name: "navi48", Step: 1, Device: 0x7550, Family: 152, Engines: 4, Unit: 8, Clock: 2970, Tiles: 0x444}),
}

// rdna completes a model with the properties that all of RDNA share. major is the instruction set's number.
func rdna(major uint64, m Model) *Model {
	m.Major, m.Arrays, m.Lanes, m.XCC = major, 2, 32, 1
	return &m
}

// parseChip reads a target id. Features that it does not mention are as the chips
// come: error correction on, XNACK off.
func parseChip(target string) (chip, error) {
	if target == "" {
		target = "gfx906"
	}
	name, features, _ := strings.Cut(target, ":")
	id, err := encoding.ParseChip(name)
	if err != nil {
		return chip{}, err
	}
	m := models[id]
	if m == nil {
		return chip{}, errors.New("AMD's runtime is not told of this chip")
	}
	for _, f := range strings.Split(features, ":") {
		if f != "" && id.RDNA() {
			return chip{}, fmt.Errorf("unknown feature %q; %s has none", f, id)
		}
		switch f {
		case "", "xnack+", "xnack-", "sramecc+", "sramecc-":
		default:
			return chip{}, fmt.Errorf("unknown feature %q; chips have sramecc and xnack, each followed by + or -", f)
		}
	}
	t := codeobj.ParseTarget(target)
	return chip{id: id, model: m, xnack: t.XNACK == codeobj.FeatureOn, sramecc: m.ECC && t.SRAMECC != codeobj.FeatureOff}, nil
}
