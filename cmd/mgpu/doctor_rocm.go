package main

import (
	"cmp"
	"path/filepath"
)

// whoHasDriver says where the stand-in for AMD's kernel driver comes from.
const whoHasDriver = "the package mgpu-rocm has it, and 'make rocm' builds it"

// rocm says on what HIP programs could run above the software GPU.
func (d *doctor) rocm(find func(name string) (string, error), places []string) {
	d.heading("HIP programs on the software GPU (mgpu run --rocm)")
	if driver, err := find(filepath.Join("rocm", driverName)); err != nil {
		d.say("%v: %s", err, whoHasDriver)
	} else {
		d.say("%s stands in for AMD's kernel driver", driver)
	}
	found := installedROCm(places)
	if len(found) == 0 {
		d.say("%v", noROCm(places))
	}
	for _, r := range found {
		d.say("%s, HIP %s, works with it", r.hip, r.release())
	}
}

// programOnROCm says which HIP library a HIP program would get there, and what is wrong with its code.
func (d *doctor) programOnROCm(program string, places []string) {
	wanted := neededHIP(program)
	if wanted == "" {
		return
	}
	r, err := findROCm(program, places)
	if err != nil {
		d.say("%v", err)
		return
	}
	d.say("%s asks for %s and gets HIP %s", program, wanted, r.release())
	if why := r.refuses(program, cmp.Or(d.get("MGPU_SOFT_CHIP"), "gfx906"), d.env); why != "" {
		d.wrong("%s", why)
	}
}
