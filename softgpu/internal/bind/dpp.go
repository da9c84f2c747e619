package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// permutation is a bound DPP control: the lane from which each lane reads, and the lanes that may write.
type permutation struct {
	From  [64]int8 // -1: from no lane
	Write uint64   // lanes that row mask and bank mask allow
	fetch bool     // lanes that are not active are read as well
	zero  bool     // a lane without a source reads 0; else it does not write

	index alu.Lanes // from, or 0
	in32  bool      // no lane reads one of the other half of the wave
	reads alu.Lanes // all ones for lanes that have a source
	all   bool      // they all have
	wrote uint64    // writers, where all lanes are active
}

// BindDPP binds the movement between lanes of a DPP form.
func BindDPP(i *encoding.Inst) *permutation {
	p := &permutation{zero: i.BoundCtrl || i.Suffix == encoding.DPP8, fetch: i.Fetch, in32: true, all: true}
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
			p.index[lane], p.reads[lane] = uint32(from), 1<<32-1
			p.in32 = p.in32 && int(from)&32 == lane&32
		} else {
			p.all = false
		}
	}
	p.wrote = p.someWriters(alu.Full)
	return p
}

// Move reads src into dst as the control says; dst may be src.
func (p *permutation) Move(w *wave.Wave, dst, src *alu.Lanes) {
	if !w.Full() && !p.fetch {
		activeLanes(dst, src, w.Exec())
		src = dst
	}
	permute(dst, src, &p.index, p.in32)
	if !p.all {
		alu.AndB32(dst, dst, &p.reads)
	}
}

// activeLanes gives dst the lanes of src that are active, and zeros.
func activeLanes(dst, src *alu.Lanes, exec uint64) { alu.SelectLanes(dst, &alu.Zeros, src, exec) }

// permute gives each lane of dst the lane of src that index tells, within its half of the wave or anywhere.
func permute(dst, src, index *alu.Lanes, in32 bool) {
	if in32 {
		alu.PermuteIn32(dst, src, index)
	} else {
		alu.Permute(dst, src, index)
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
