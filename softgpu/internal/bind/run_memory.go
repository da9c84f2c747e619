package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// asRow notes that step loads or stores words of vector registers, which an op does where they lie
// in a row: data are its registers, addr those with the addresses, and rest fills in the others.
func asRow(i *encoding.Inst, step encoding.Step, op int, data, addr wave.Registers, rest func(p *encoding.Part, op *alu.Op)) encoding.Step {
	if i.AsPart == nil || step == nil || !alu.HasRuns || data.Acc || addr.Acc {
		return step
	}
	p, o := encoding.Part{Step: step, Lanes: true, Whole: true, Mask: -1}, alu.Op{Code: alu.Code(op)}
	putRegister(&p, &o, 0, data.At, data.Count == 2)
	putRegister(&p, &o, 1, addr.At, addr.Count == 2)
	if op == alu.OpLoadLDS || op == alu.OpLoadLDS2 { // reading for lanes that are not active does no harm, and the op checks it
		p.Whole, p.Results = false, data.Count
	}
	rest(&p, &o)
	p.Ops = []alu.Op{o}
	*i.AsPart = p
	return step
}

// asExchange notes that step moves words between lanes: op makes registers d of data, as more says, which fills in the
// rest of it.
func asExchange(i *encoding.Inst, step encoding.Step, op int, d, data wave.Registers, more func(p *encoding.Part, op *alu.Op)) encoding.Step {
	if i.AsPart == nil || !alu.HasRuns || d.Acc || data.Acc {
		return step
	}
	p, o := encoding.Part{Step: step, Lanes: true, Whole: true, Mask: -1}, alu.Op{Code: alu.Code(op)}
	putRegister(&p, &o, 0, d.At, false)
	putRegister(&p, &o, 1, data.At, false)
	more(&p, &o)
	p.Ops = []alu.Op{o}
	*i.AsPart = p
	return step
}

// inLDS are offsets of an access to LDS.
func inLDS(offsets ...uint64) func(p *encoding.Part, op *alu.Op) {
	return func(_ *encoding.Part, op *alu.Op) {
		op.File[4], op.At[4] = alu.Rest, placeOfLDS
		op.At[5] = uintptr(offsets[len(offsets)-1])
		if len(offsets) > 1 {
			op.At[3] = uintptr(offsets[0])
		}
	}
}

// asPairs notes that step loads pairs of words from these offsets in LDS, each by an op.
func asPairs(i *encoding.Inst, step encoding.Step, d, addr wave.Registers, offsets ...uint64) encoding.Step {
	if i.AsPart == nil || !alu.HasRuns || d.Acc || addr.Acc || d.Overlaps(addr) && len(offsets) > 1 {
		return step
	}
	p := encoding.Part{Step: step, Lanes: true, Whole: true, Mask: -1}
	for n, offset := range offsets {
		op := alu.Op{Code: alu.Code(alu.OpLoadLDS2)}
		putRegister(&p, &op, 0, d.At+2*n, true)
		putRegister(&p, &op, 1, addr.At, false)
		inLDS(offset, offset+4)(&p, &op)
		p.Ops = append(p.Ops, op)
	}
	*i.AsPart = p
	return step
}

// asGlobalRow is asRow for memory at the addresses of g.
func asGlobalRow(i *encoding.Inst, step encoding.Step, g *GlobalSpace, t width, data wave.Registers, write bool) encoding.Step {
	if t.bytes != 4 {
		return step
	}
	op, windows := alu.OpLoadGlobal, placeOfReads
	if write {
		op, windows = alu.OpStoreGlobal, placeOfWrites
	}
	if g.Scalar >= 0 {
		op++
	}
	return asRow(i, step, op, data, g.Addr, func(_ *encoding.Part, op *alu.Op) {
		op.File[4], op.At[4] = alu.Rest, windows
		op.At[5] = uintptr(g.Offset)
		if g.Scalar >= 0 {
			op.File[2], op.At[2] = alu.Rest, placeOfS(g.Scalar)
		}
	})
}
