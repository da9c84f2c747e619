package gcn

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
)

// Scalar memory: whole words, at addresses rounded down to words.

type scalarSpace struct {
	base   int
	reg    int // register with an offset; -1: none
	offset uint64
	count  int
	data   int
}

func bindScalarSpace(i *Inst, base int, data *Operand) *scalarSpace {
	s := &scalarSpace{base: int(i.Src[base].Reg), reg: -1, offset: uint64(int64(i.Imm)), count: int(data.Width), data: int(data.Reg)}
	if i.OffEn && base+1 < len(i.Src) {
		s.reg = int(i.Src[base+1].Reg)
	}
	return s
}

func (s *scalarSpace) delta(w *Wave) uint64 {
	if s.reg >= 0 {
		return s.offset + uint64(w.S[s.reg&allScalars])
	}
	return s.offset
}

func scalarLoad(i *Inst) Step {
	s := bindScalarSpace(i, 0, &i.Dst)
	size := uint64(s.count) * 4
	return func(w *Wave) {
		device := (w.s64(s.base) + s.delta(w)) &^ 3
		addr, ok := w.locate(device, size, false)
		if !ok {
			w.failAccess(-1, device, false)
			return
		}
		for n := 0; n < s.count; n++ {
			w.S[(s.data+n)&allScalars] = memory.Load32(addr + uint64(n)*4)
		}
	}
}

func scalarStore(i *Inst) Step {
	s := bindScalarSpace(i, 1, &i.Src[0])
	size := uint64(s.count) * 4
	return func(w *Wave) {
		device := (w.s64(s.base) + s.delta(w)) &^ 3
		addr, ok := w.locate(device, size, true)
		if !ok {
			w.failAccess(-1, device, true)
			return
		}
		for n := 0; n < s.count; n++ {
			memory.Store32(addr+uint64(n)*4, w.S[(s.data+n)&allScalars])
		}
	}
}

// scalarBufferLoad reads through a buffer resource; words out of range are 0.
func scalarBufferLoad(i *Inst) Step {
	s := bindScalarSpace(i, 0, &i.Dst)
	return func(w *Wave) {
		r := w.bufferResource(s.base)
		end := r.records
		if r.stride != 0 {
			end *= r.stride
		}
		off := s.delta(w) &^ 3
		for n := 0; n < s.count; n++ {
			at := off + uint64(n)*4
			var v uint32
			if at+4 <= end {
				addr, ok := w.locate(r.base+at, 4, false)
				if !ok {
					w.failAccess(-1, r.base+at, false)
					return
				}
				v = memory.Load32(addr)
			}
			w.S[(s.data+n)&allScalars] = v
		}
	}
}
