package emu

// MostItems is the highest number of work-items in a workgroup.
const MostItems = 1024

// Limit is a limit of a dispatch.
type Limit uint8

// Limits.
const (
	NoLimit     Limit = iota
	EmptyAxis         // a grid, or a workgroup, has no work-items along an axis
	GroupItems        // work-items of a workgroup
	GroupWaves        // waves of a workgroup, whose registers are in one unit
	GroupMemory       // bytes of workgroup memory
)

// Excess says which limit a dispatch exceeds. Axis is for EmptyAxis. For the others, Wanted is more than Most. Unit is
// for GroupWaves: "a compute unit", or "a workgroup processor".
type Excess struct {
	Limit        Limit
	Axis         int
	Wanted, Most uint64
	Unit         string
}

// ExcessOfShape checks a grid and a workgroup. most is the kernel's limit of work-items.
func ExcessOfShape(grid, block [3]uint32, most uint32) Excess {
	items := uint64(1)
	for axis := range grid {
		if grid[axis] == 0 || block[axis] == 0 {
			return Excess{Limit: EmptyAxis, Axis: axis}
		}
		if items *= uint64(block[axis]); items > uint64(most) {
			return Excess{Limit: GroupItems, Wanted: items, Most: uint64(most)}
		}
	}
	return Excess{}
}

func (k *Kernel) unitName() string {
	if k.wgp {
		return "a workgroup processor"
	}
	return "a compute unit"
}

// Excess checks the chip's resources for a workgroup of a kernel, with lds bytes of workgroup memory.
func (m *Machine) Excess(k *Kernel, block [3]uint32, lds uint64) Excess {
	if waves, most := k.wavesOf(block), k.wavesPerUnit(k.unit(m.limits)); waves > most {
		return Excess{Limit: GroupWaves, Wanted: uint64(waves), Most: uint64(most), Unit: k.unitName()}
	}
	if most := uint64(m.limits.lds); lds > most {
		return Excess{Limit: GroupMemory, Wanted: lds, Most: most}
	}
	return Excess{}
}
