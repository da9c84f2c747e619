package hsakmt

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/gcn"
)

// chip is what a GPU is, as the runtime sees it.
type chip struct {
	id      gcn.Chip
	model   *model
	xnack   bool
	sramecc bool
}

// model is what one of AMD's products says of itself.
type model struct {
	name                  string // AMD's for the chip
	major, minor, step    uint64 // of the instruction set
	device, family        uint64
	engines, arrays, unit uint64 // shader engines, arrays in each, compute units in each array
	waves                 uint64 // on each SIMD
	clock                 uint64 // MHz
	tiles                 uint64 // GB_ADDR_CONFIG
	xcc                   uint64
	sdma                  uint64 // copy engines that are reported
	ecc                   bool   // of the register files and LDS, unless switched off
}

var models = map[gcn.Chip]*model{
	gcn.Gfx900: {name: "vega10", major: 9, minor: 0, step: 0, device: 0x6860, family: 141, engines: 4, arrays: 1, unit: 16, waves: 10, clock: 1500, tiles: 0x2a114042, xcc: 1},
	gcn.Gfx906: {name: "vega20", major: 9, minor: 0, step: 6, device: 0x66a1, family: 141, engines: 4, arrays: 1, unit: 15, waves: 10, clock: 1725, tiles: 0x2a114042, xcc: 1, ecc: true},
	gcn.Gfx908: {name: "arcturus", major: 9, minor: 0, step: 8, device: 0x738c, family: 141, engines: 8, arrays: 1, unit: 15, waves: 10, clock: 1502, tiles: 0x22014042, xcc: 1, ecc: true},
	gcn.Gfx90a: {name: "aldebaran", major: 9, minor: 0, step: 10, device: 0x740f, family: 141, engines: 8, arrays: 1, unit: 13, waves: 8, clock: 1700, tiles: 0x22014042, xcc: 1, ecc: true},
	gcn.Gfx942: {name: "aqua_vanjaram", major: 9, minor: 4, step: 2, device: 0x74a1, family: 141, engines: 32, arrays: 1, unit: 10, waves: 8, clock: 2100, tiles: 0x22014042, xcc: 8, sdma: 2, ecc: true},
	gcn.Gfx950: {name: "ip discovery", major: 9, minor: 5, step: 0, device: 0x75a0, family: 141, engines: 32, arrays: 1, unit: 8, waves: 8, clock: 2400, tiles: 0x22014042, xcc: 8, sdma: 2, ecc: true},
}

// parseChip reads a target id. Features that it does not mention are as the chips
// come: error correction on, XNACK off.
func parseChip(target string) (chip, error) {
	if target == "" {
		target = "gfx906"
	}
	name, features, _ := strings.Cut(target, ":")
	id, err := gcn.ParseChip(name)
	if err != nil {
		return chip{}, err
	}
	m := models[id]
	if m == nil {
		return chip{}, errors.New("AMD's runtime is not told of this chip")
	}
	for _, f := range strings.Split(features, ":") {
		switch f {
		case "", "xnack+", "xnack-", "sramecc+", "sramecc-":
		default:
			return chip{}, fmt.Errorf("%q is no feature; chips have sramecc and xnack, each with + or - behind it", f)
		}
	}
	t := codeobj.ParseTarget(target)
	return chip{id: id, model: m, xnack: t.XNACK == codeobj.FeatureOn, sramecc: m.ecc && t.SRAMECC != codeobj.FeatureOff}, nil
}

// units is how many compute units the chip has.
func (m *model) units() uint64 { return m.engines * m.arrays * m.unit }
