package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
)

// code compares the chip of a program's code with the software GPU, if the program would run on that.
func (d *doctor) code(program string) {
	if d.used != "soft" || neededHIP(program) != "" {
		return
	}
	chip := cmp.Or(d.get("MGPU_SOFT_CHIP"), "gfx906")
	others := otherChips(program, codeobj.ParseTarget(chip))
	if len(others) == 0 {
		return
	}
	d.wrong("%s has code for %s, and device 0 is %s", program, strings.Join(others, " and "), chip)
	d.hint("set MGPU_SOFT_CHIP=%s, or 'mgpu run --chip %s'", others[0], others[0])
}

// otherChips returns the targets of a program's code objects if none of them runs on a device.
func otherChips(program string, device codeobj.Target) (others []string) {
	for _, image := range constantObjects(program) {
		o, err := codeobj.Parse(image)
		switch {
		case err != nil:
		case o.ID.Runs(device):
			return nil
		case !slices.Contains(others, o.ID.String()):
			others = append(others, o.ID.String())
		}
	}
	return others
}
