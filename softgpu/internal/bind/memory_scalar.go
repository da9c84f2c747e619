package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Scalar memory: whole words, at addresses rounded down to words.

// ScalarSpace is the address of a scalar access.
type ScalarSpace struct {
	Base   int
	Layout wave.ResourceLayout
	reg    int // register with an offset; -1: none
	offset uint64
	count  int
	data   int
}

// BindScalarSpace binds the address of a scalar access.
func BindScalarSpace(i *encoding.Inst, base int, data *encoding.Operand) *ScalarSpace {
	s := &ScalarSpace{Base: int(i.Src[base].Reg), Layout: i.Chip.Set().Facts().Resource, reg: -1, offset: uint64(int64(i.Imm)), count: int(data.Width), data: int(data.Reg)}
	if i.OffEn && base+1 < len(i.Src) {
		s.reg = int(i.Src[base+1].Reg)
	}
	return s
}

// Delta is the offset of the access from its base.
func (s *ScalarSpace) Delta(w *wave.Wave) uint64 {
	if s.reg >= 0 {
		return s.offset + uint64(w.S[s.reg&wave.AllScalars])
	}
	return s.offset
}

// ScalarLoad binds s_load_dword and its like.
func ScalarLoad(i *encoding.Inst) encoding.Step {
	s := BindScalarSpace(i, 0, &i.Dst)
	size := uint64(s.count) * 4
	step := func(w *wave.Wave) {
		device := (w.S64(s.Base) + s.Delta(w)) &^ 3
		addr, ok := w.Locate(device, size, false)
		if !ok {
			w.FailAccess(-1, device, false)
			return
		}
		for n := 0; n < s.count; n++ {
			w.S[(s.data+n)&wave.AllScalars] = memory.Load32(addr + uint64(n)*4)
		}
	}
	return asScalarLoad(i, step, s)
}

// asScalarLoad notes that step loads words to scalar registers, which an op does if a known window has them. Those that
// reach EXEC are left to step.
func asScalarLoad(i *encoding.Inst, step encoding.Step, s *ScalarSpace) encoding.Step {
	if i.AsPart == nil || !alu.HasRuns || s.data+s.count > wave.ExecLo || s.Base > wave.ExecLo {
		return step
	}
	p := encoding.Part{Step: step, Mask: -1}
	op := alu.Op{Code: alu.Code(alu.OpLoadScalar)}
	op.File[0], op.At[0] = alu.Rest, placeOfS(s.data)
	op.File[1], op.At[1] = alu.Rest, placeOfS(s.Base)
	none := scalar{}
	offset := &none
	if s.reg >= 0 {
		offset = &scalar{from: encoding.SReg, reg: uint8(s.reg & wave.AllScalars)}
	}
	if !putScalar(&p, &op, 2, offset) {
		return step
	}
	op.At[3] = uintptr(s.count) * 4
	op.File[4], op.At[4] = alu.Rest, placeOfReads
	op.At[5] = uintptr(s.offset)
	p.Ops = []alu.Op{op}
	*i.AsPart = p
	return step
}

// ScalarStore binds s_store_dword and its like.
func ScalarStore(i *encoding.Inst) encoding.Step {
	s := BindScalarSpace(i, 1, &i.Src[0])
	size := uint64(s.count) * 4
	return func(w *wave.Wave) {
		device := (w.S64(s.Base) + s.Delta(w)) &^ 3
		addr, ok := w.Locate(device, size, true)
		if !ok {
			w.FailAccess(-1, device, true)
			return
		}
		for n := 0; n < s.count; n++ {
			memory.Store32(addr+uint64(n)*4, w.S[(s.data+n)&wave.AllScalars])
		}
	}
}

// ScalarBufferLoad reads through a buffer resource; words out of range are 0.
func ScalarBufferLoad(i *encoding.Inst) encoding.Step {
	s := BindScalarSpace(i, 0, &i.Dst)
	return func(w *wave.Wave) {
		r := w.BufferResource(s.Base, s.Layout)
		end := r.Records
		if r.Stride != 0 {
			end *= r.Stride
		}
		off := s.Delta(w) &^ 3
		for n := 0; n < s.count; n++ {
			at := off + uint64(n)*4
			var v uint32
			if at+4 <= end {
				addr, ok := w.Locate(r.Base+at, 4, false)
				if !ok {
					w.FailAccess(-1, r.Base+at, false)
					return
				}
				v = memory.Load32(addr)
			}
			w.S[(s.data+n)&wave.AllScalars] = v
		}
	}
}
