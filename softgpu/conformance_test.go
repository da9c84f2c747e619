package softgpu_test

import (
	"testing"

	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu"
)

func TestConformance(t *testing.T) {
	for _, o := range []softgpu.Options{
		{Chip: "gfx900"},
		{Chip: "gfx906"},
		{Chip: "gfx906", Devices: 2},
		{Chip: "gfx906", Schedule: 7},
	} {
		if o.Chip == "gfx900" && testing.Short() {
			continue
		}
		name := o.Chip
		if o.Devices > 1 {
			name += " twice"
		}
		if o.Schedule != 0 {
			name += " disturbed"
		}
		t.Run(name, func(t *testing.T) {
			drivertest.Run(t, func(t *testing.T) (driver.Driver, drivertest.Images) {
				images := drivertest.BuildAMD(t, o.Chip)
				d, err := softgpu.Open(o)
				if err != nil {
					t.Fatal(err)
				}
				return d, images
			})
		})
	}
}
