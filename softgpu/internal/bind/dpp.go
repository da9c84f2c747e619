package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// permutation is a bound DPP control: from which lane each lane reads, and who may write.
type permutation struct {
	From  [64]int8 // -1: from no lane
	Write uint64   // lanes that row mask and bank mask allow
	fetch bool     // lanes that are not active are read as well
	zero  bool     // a lane without a source reads 0; else it does not write

	// What holds where all lanes are active.
	index [64]uint8  // from, or 0
	reads [64]uint32 // all ones for lanes that have a source
	wrote uint64     // writers
}

// BindDPP binds the movement between lanes of a DPP form.
func BindDPP(i *encoding.Inst) *permutation {
	p := &permutation{zero: i.BoundCtrl || i.Suffix == encoding.DPP8, fetch: i.Fetch}
	for lane := range p.From {
		if i.Suffix == encoding.DPP8 {
			p.From[lane] = int8(lane&^7 + int(i.Lanes8>>(lane&7*3)&7))
			p.Write |= 1 << lane
		} else {
			p.From[lane] = int8(encoding.DPPSource(int(i.DPPCtrl), lane))
		}
		if i.RowMask>>(lane/16)&1 != 0 && i.BankMask>>(lane/4%4)&1 != 0 {
			p.Write |= 1 << lane
		}
		if from := p.From[lane]; from >= 0 {
			p.index[lane], p.reads[lane] = uint8(from), 1<<32-1
		}
	}
	p.wrote = p.someWriters(alu.Full)
	return p
}

// Move reads src into dst as the control says; dst may be src.
func (p *permutation) Move(w *wave.Wave, dst, src *alu.Lanes) {
	exec, in := w.Exec(), *src
	if w.Full() {
		for lane, from := range &p.index {
			dst[lane] = in[from&63] & p.reads[lane]
		}
		return
	}
	for lane, from := range p.From {
		v := uint32(0)
		if from >= 0 && (exec>>uint(from)&1 != 0 || p.fetch) {
			v = in[from&63]
		}
		dst[lane] = v
	}
}

// Writers returns the lanes of exec that get a result.
func (p *permutation) Writers(exec uint64) uint64 {
	if exec == alu.Full {
		return p.wrote
	}
	return p.someWriters(exec)
}

func (p *permutation) someWriters(exec uint64) uint64 {
	m := exec & p.Write
	if p.zero {
		return m
	}
	for lane, from := range p.From {
		if from < 0 || exec>>uint(from)&1 == 0 && !p.fetch {
			m &^= 1 << lane
		}
	}
	return m
}
