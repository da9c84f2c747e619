package gcn

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// asRow notes that step loads or stores words of vector registers, which an op does where they lie
// in a row: data are its registers, addr those with the addresses, and rest fills in the others.
func asRow(i *Inst, step Step, op int, data, addr registers, rest func(p *Part, op *alu.Op)) Step {
	if i.asPart == nil || step == nil || !alu.HasRuns || data.acc || addr.acc {
		return step
	}
	p, o := Part{step: step, lanes: true}, alu.Op{Code: alu.Code(op)}
	putRegister(&p, &o, 0, data.at, data.count == 2)
	putRegister(&p, &o, 1, addr.at, addr.count == 2)
	rest(&p, &o)
	p.ops = []alu.Op{o}
	*i.asPart = p
	return step
}

// inLDS are offsets of an access to LDS.
func inLDS(offsets ...uint64) func(p *Part, op *alu.Op) {
	return func(_ *Part, op *alu.Op) {
		op.File[4], op.At[4] = alu.Rest, placeOfLDS
		op.At[5] = uintptr(offsets[len(offsets)-1])
		if len(offsets) > 1 {
			op.At[3] = uintptr(offsets[0])
		}
	}
}

// asGlobalRow is asRow for memory at the addresses of g.
func asGlobalRow(i *Inst, step Step, g *globalSpace, t width, data registers, write bool) Step {
	if t.bytes != 4 {
		return step
	}
	op, windows := alu.OpLoadGlobal, placeOfReads
	if write {
		op, windows = alu.OpStoreGlobal, placeOfWrites
	}
	if g.scalar >= 0 {
		op++
	}
	return asRow(i, step, op, data, g.addr, func(_ *Part, op *alu.Op) {
		op.File[4], op.At[4] = alu.Rest, windows
		op.At[5] = uintptr(g.offset)
		if g.scalar >= 0 {
			op.File[2], op.At[2] = alu.Rest, placeOfS(g.scalar)
		}
	})
}
