package emu

// Occupancy is the number of waves of a kernel that a SIMD of the chip holds at once, with its limits. Each limit is
// the number of waves if it were the only limit.
type Occupancy struct {
	Waves  int `json:"waves_per_simd"`
	ByChip int `json:"limit_of_chip"`

	ByVectorRegisters int `json:"limit_of_vector_registers"`
	ByScalarRegisters int `json:"limit_of_scalar_registers"`
	ByLDS             int `json:"limit_of_lds"`       // whole workgroups of a unit, spread over its SIMDs
	ByWorkgroup       int `json:"limit_of_workgroup"` // the same: a workgroup starts when all its waves have space

	Limit string `json:"limit"` // the first limit that equals Waves
}

// Occupancy returns how many waves of k a SIMD holds, in workgroups of a shape.
func (m *Machine) Occupancy(k *Kernel, block [3]uint32, dynamicLDS uint32) Occupancy {
	c, waves := k.unit(m.limits), k.wavesOf(block)
	spread := func(groups int) int { return (max(groups, 1)*waves + c.simds - 1) / c.simds }
	o := Occupancy{
		ByChip: c.waves, ByVectorRegisters: k.wavesPerUnit(c) / c.simds, ByScalarRegisters: min(c.waves, wavesByScalars(m.chip.RDNA(), k.sgprs)), ByLDS: c.waves,
	}
	o.Waves = min(o.ByChip, o.ByVectorRegisters, o.ByScalarRegisters)
	o.ByWorkgroup = min(o.Waves, spread(o.Waves*c.simds/waves))
	if lds := k.LDS + dynamicLDS; lds > 0 {
		o.ByLDS = min(c.waves, spread(int(c.lds/lds)))
	}
	o.Waves = min(o.Waves, o.ByLDS, o.ByWorkgroup)
	for _, l := range []struct {
		name string
		at   int
	}{{"chip", o.ByChip}, {"vector registers", o.ByVectorRegisters}, {"scalar registers", o.ByScalarRegisters}, {"LDS", o.ByLDS}, {"workgroup", o.ByWorkgroup}} {
		if l.at == o.Waves {
			o.Limit = l.name
			break
		}
	}
	return o
}

// wavesByScalars returns how many waves of GFX9 share the 800 scalar registers of a SIMD, which are allocated in units
// of sixteen (LLVM's getOccupancyWithNumSGPRs). In RDNA each wave has all.
func wavesByScalars(rdna bool, sgprs int) int {
	switch {
	case rdna:
		return 1 << 10
	case sgprs <= 80:
		return 10
	case sgprs <= 88:
		return 9
	case sgprs <= 100:
		return 8
	}
	return 7
}
