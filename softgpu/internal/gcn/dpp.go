package gcn

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// permutation is a bound DPP control: from which lane each lane reads, and who may write.
type permutation struct {
	from  [64]int8 // -1: from no lane
	write uint64   // lanes that row mask and bank mask allow
	fetch bool     // lanes that are not active are read as well
	zero  bool     // a lane without a source reads 0; else it does not write

	// What holds where all lanes are active.
	index [64]uint8  // from, or 0
	reads [64]uint32 // all ones for lanes that have a source
	wrote uint64     // writers
}

// DPP control values.
const (
	dppRowShl     = 0x100
	dppRowShr     = 0x110
	dppRowRor     = 0x120
	dppWaveShl    = 0x130
	dppWaveRol    = 0x134
	dppWaveShr    = 0x138
	dppWaveRor    = 0x13c
	dppMirror     = 0x140
	dppHalfMirror = 0x141
	dppBcast15    = 0x142
	dppBcast31    = 0x143
	dppNewBcast   = 0x150 // RDNA's row_share
	dppXmask      = 0x160
)

func bindDPP(i *Inst) *permutation {
	p := &permutation{zero: i.BoundCtrl || i.Suffix == DPP8, fetch: i.Fetch}
	for lane := range p.from {
		if i.Suffix == DPP8 {
			p.from[lane] = int8(lane&^7 + int(i.Lanes8>>(lane&7*3)&7))
			p.write |= 1 << lane
		} else {
			p.from[lane] = int8(dppSource(int(i.DPPCtrl), lane))
		}
		if i.RowMask>>(lane/16)&1 != 0 && i.BankMask>>(lane/4%4)&1 != 0 {
			p.write |= 1 << lane
		}
		if from := p.from[lane]; from >= 0 {
			p.index[lane], p.reads[lane] = uint8(from), 1<<32-1
		}
	}
	p.wrote = p.someWriters(alu.Full)
	return p
}

// dppKnown tells whether dppSource knows the control.
func dppKnown(ctrl int) bool {
	n := ctrl & 15
	switch ctrl &^ 15 {
	case dppRowShl, dppRowShr, dppRowRor:
		return n != 0
	case dppWaveShl:
		return n%4 == 0
	case dppMirror:
		return n <= 3
	case dppNewBcast, dppXmask:
		return true
	}
	return ctrl < dppRowShl
}

func dppSource(ctrl, lane int) int {
	row, at, n := lane&^15, lane&15, ctrl&15
	within := func(at int) int {
		if at < 0 || at > 15 {
			return -1
		}
		return row + at
	}
	switch {
	case ctrl < dppRowShl:
		return lane&^3 + ctrl>>(lane%4*2)&3
	case ctrl < dppRowShr:
		return within(at + n)
	case ctrl < dppRowRor:
		return within(at - n)
	case ctrl < dppWaveShl:
		return row + (at-n)&15
	case ctrl == dppWaveShl && lane == 63, ctrl == dppWaveShr && lane == 0:
		return -1
	case ctrl == dppWaveShl, ctrl == dppWaveRol:
		return (lane + 1) & 63
	case ctrl == dppWaveShr, ctrl == dppWaveRor:
		return (lane - 1) & 63
	case ctrl == dppMirror:
		return row + 15 - at
	case ctrl == dppHalfMirror:
		return lane&^7 + 7 - lane&7
	case ctrl == dppBcast15 && row > 0:
		return row - 1
	case ctrl == dppBcast31 && lane >= 32:
		return 31
	case ctrl&^15 == dppNewBcast:
		return row + n
	case ctrl&^15 == dppXmask:
		return row + at ^ n
	}
	return -1
}

// move reads src into dst as the control says; dst may be src.
func (p *permutation) move(w *Wave, dst, src *alu.Lanes) {
	exec, in := w.Exec(), *src
	if exec == alu.Full {
		for lane, from := range &p.index {
			dst[lane] = in[from&63] & p.reads[lane]
		}
		return
	}
	for lane, from := range p.from {
		v := uint32(0)
		if from >= 0 && (exec>>uint(from)&1 != 0 || p.fetch) {
			v = in[from&63]
		}
		dst[lane] = v
	}
}

// writers returns the lanes of exec that get a result.
func (p *permutation) writers(exec uint64) uint64 {
	if exec == alu.Full {
		return p.wrote
	}
	return p.someWriters(exec)
}

func (p *permutation) someWriters(exec uint64) uint64 {
	m := exec & p.write
	if p.zero {
		return m
	}
	for lane, from := range p.from {
		if from < 0 || exec>>uint(from)&1 == 0 && !p.fetch {
			m &^= 1 << lane
		}
	}
	return m
}
