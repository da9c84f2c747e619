package emu

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// itemIDs are the work-item IDs of a workgroup, as its waves find them in their first vector registers. They are the
// same in all workgroups of one size.
type itemIDs struct {
	made  idLayout
	lanes []alu.Lanes // registers of the first wave, of the second, ...
}

// idLayout is what the IDs depend on.
type idLayout struct {
	block  [3]uint32
	lanes  uint32 // of a wave
	count  int    // IDs that the kernel asks for
	regs   int    // registers with IDs
	packed bool   // all IDs are in one register
}

// provide makes the IDs for workgroups of a size, unless they are made.
func (t *itemIDs) provide(k *Kernel, block [3]uint32) {
	l := idLayout{block: block, lanes: k.lanes, count: k.itemIDs, regs: 1, packed: k.packedIDs}
	if !l.packed {
		l.regs = max(1, min(k.itemIDs, k.vgprs))
	}
	if l == t.made {
		return
	}
	t.made = l
	if n := k.wavesOf(block) * l.regs; cap(t.lanes) < n {
		t.lanes = make([]alu.Lanes, n)
	} else {
		t.lanes = t.lanes[:n]
		clear(t.lanes)
	}
	for item := range block[0] * block[1] * block[2] {
		x, y, z := item%block[0], item/block[0]%block[1], item/(block[0]*block[1])
		regs, lane := t.of(int(item/l.lanes)), item%l.lanes
		if l.packed {
			regs[0][lane] = packIDs(l.count, x, y, z)
			continue
		}
		ids := [3]uint32{x, y, z}
		for n := range regs {
			regs[n][lane] = ids[n]
		}
	}
}

// of returns the registers of the wave with index i.
func (t *itemIDs) of(i int) []alu.Lanes { return t.lanes[i*t.made.regs : (i+1)*t.made.regs] }
