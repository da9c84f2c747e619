package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// registerBytes is the size of a vector register.
const registerBytes = 4 * 64

// putOperand puts where a plain operand of a vector instruction is into op. What is the same for
// all lanes is spread by an op of its own.
func putOperand(p *encoding.Part, op *alu.Op, n int, s *plainSource, temp int) bool {
	if !putUnsigned(p, op, n, s, temp) {
		return false
	}
	if s.perm != nil {
		putMoved(p, op, n, s.perm, temp)
	}
	putSign(p, op, n, s.clear, s.flip, temp)
	return true
}

// putSign alters an op's operand n by sign modifiers.
func putSign(p *encoding.Part, op *alu.Op, n int, clear, flip uint32, temp int) {
	if clear|flip != 0 {
		alter := alu.Op{Code: alu.Code(alu.OpAlter)}
		alter.At[2], alter.At[3] = uintptr(clear), uintptr(flip)
		putBefore(p, op, n, alter, temp)
	}
}

// putMoved makes an op's operand n what a permutation of its lanes makes of it. Lanes without a source get 0.
func putMoved(p *encoding.Part, op *alu.Op, n int, perm *permutation, temp int) {
	p.Whole = true
	p.Keep = append(p.Keep, perm)
	code := alu.OpPermute
	if perm.in32 {
		code = alu.OpPermuteIn32
	}
	putBefore(p, op, n, withFixed(alu.Op{Code: alu.Code(code)}, 2, hostAddress(&perm.index)), temp)
	if !perm.all {
		putBefore(p, op, n, withFixed(alu.OpOfKernel(alu.AndB32), 2, hostAddress(&perm.reads)), temp)
	}
}

// withFixed returns op with memory that does not move as its operand n.
func withFixed(op alu.Op, n int, address uintptr) alu.Op {
	op.File[n], op.At[n] = alu.Fixed, address
	return op
}

// putWriters lets only the lanes that a permutation allows have the result of p's last op.
func putWriters(p *encoding.Part, perm *permutation) {
	if perm.wrote == alu.Full {
		return
	}
	last := &p.Ops[len(p.Ops)-1]
	to := last.At[0]
	last.File[0], last.At[0] = alu.Rest, placeOfTemp(3)
	p.Ops = append(p.Ops, withFixed(alu.Op{Code: alu.Code(alu.OpSelect),
		File: [8]uint8{alu.Vectors, alu.Vectors, alu.Rest}, At: [6]uintptr{to, to, placeOfTemp(3)}}, 3, hostAddress(&perm.wrote)))
}

// putBefore makes operand n of op what another op makes of it.
func putBefore(p *encoding.Part, op *alu.Op, n int, before alu.Op, temp int) {
	before.File[0], before.At[0] = alu.Rest, placeOfTemp(temp)
	before.File[1], before.At[1] = op.File[n], op.At[n]
	p.Ops = append(p.Ops, before)
	op.File[n], op.At[n] = before.File[0], before.At[0]
}

// putUnsigned is putOperand without the sign's modifiers.
func putUnsigned(p *encoding.Part, op *alu.Op, n int, s *plainSource, temp int) bool {
	switch {
	case s.k != nil:
		p.Keep = append(p.Keep, s.k)
		op.File[n], op.At[n] = alu.Fixed, hostAddress(s.k)
	case s.s != nil:
		if s.wide && s.s.from != encoding.SReg {
			return false
		}
		op.File[n], op.At[n] = alu.Rest, placeOfTemp(temp)
		for half := range 1 + asInt(s.wide) {
			from := *s.s
			from.reg += uint8(half)
			fill := alu.Op{Code: alu.Code(alu.OpFill)}
			fill.File[0], fill.At[0] = alu.Rest, placeOfTemp(temp)+uintptr(half)*registerBytes
			if !putScalar(p, &fill, 1, &from) {
				return false
			}
			p.Ops = append(p.Ops, fill)
		}
	default:
		putRegister(p, op, n, s.reg, s.wide)
	}
	return true
}

func asInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// putRegister makes a vector register, or two, the op's operand n.
func putRegister(p *encoding.Part, op *alu.Op, n, reg int, wide bool) {
	p.Vectors = max(p.Vectors, reg+1+asInt(wide))
	op.File[n], op.At[n] = alu.Vectors, uintptr(reg)*registerBytes
}

// putScalar puts where a scalar operand is into op.
func putScalar(p *encoding.Part, op *alu.Op, n int, s *scalar) bool {
	switch s.from {
	case encoding.SReg:
		op.File[n], op.At[n] = alu.Rest, placeOfS(int(s.reg))
	case encoding.NoOperand:
		k := new(uint64)
		*k = s.bits
		p.Keep = append(p.Keep, k)
		op.File[n], op.At[n] = alu.Fixed, hostAddress(k)
	default:
		return false
	}
	return true
}

// moves notes that step moves a plain operand to the destination.
func (v *valu) moves(step encoding.Step) encoding.Step {
	p, ok := v.signed()
	if v.asPart == nil || !alu.HasRuns || !ok {
		return step
	}
	part, s := encoding.Part{Step: step, Lanes: true, Results: 1, Mask: -1}, &p.src[0]
	op := alu.Op{Code: alu.Code(alu.OpMove)}
	if s.s != nil {
		op.Code = alu.Code(alu.OpFill)
		if !putScalar(&part, &op, 1, s.s) {
			return step
		}
	} else if !putOperand(&part, &op, 1, s, 0) {
		return step
	}
	putRegister(&part, &op, 0, p.dst, false)
	part.Ops = append(part.Ops, op)
	if s.perm != nil {
		putWriters(&part, s.perm)
	}
	*v.asPart = part
	return step
}

// runs notes that step, of an instruction with plain operands, is what the kernel k does with
// sources to the destination; more fills in what the op has beside them.
func (v *valu) runs(step encoding.Step, k any, p *plainWave, sources []*plainSource, more func(p *encoding.Part, op *alu.Op) bool) encoding.Step {
	if v.asPart == nil {
		return step
	}
	op := alu.OpOfKernel(k)
	if op.Code == 0 {
		return step
	}
	part := encoding.Part{Need: p.need, Lanes: true, Mask: -1}
	for n, s := range sources {
		if !putOperand(&part, &op, n+1, s, n) {
			return step
		}
	}
	if v.out != alu.None {
		putRegister(&part, &op, 0, p.dst, v.out.Wide())
		part.Results = 1 + asInt(v.out.Wide())
	}
	if more != nil && !more(&part, &op) {
		return step
	}
	part.Ops = append(part.Ops, op)
	if v.perm != nil {
		putWriters(&part, v.perm)
	}
	part.Step = step
	*v.asPart = part
	return step
}

// putMask makes the mask an op's operand, if it is not EXEC. Ops write a mask of 64 lanes to a pair
// of registers and one of 32 to one, as the wave has them.
func putMask(p *encoding.Part, op *alu.Op, n int, m mask) bool {
	if m.reg <= wave.ExecHi && m.reg+1 >= wave.ExecLo {
		return false
	}
	p.Single = !m.pair
	op.File[n], op.At[n] = alu.Rest, placeOfS(int(m.reg))
	p.Mask = n
	return true
}

// ofTest fills in the rest of a test's op: the mask that inverts the result, and the destination.
func ofTest(flip uint64, to mask) func(p *encoding.Part, op *alu.Op) bool {
	return func(p *encoding.Part, op *alu.Op) bool {
		op.At[3] = uintptr(flip)
		return putMask(p, op, 0, to)
	}
}

// runsWide is runs for operands of 64 bits, count sources.
func (v *valu) runsWide(step encoding.Step, k any, count int, more func(p *encoding.Part, op *alu.Op) bool) encoding.Step {
	p, ok := v.plainWide()
	if !ok {
		return step
	}
	return v.runs(step, k, &p, p.sources(count), more)
}

// runsTest is runsWide for a test.
func (v *valu) runsTest(step encoding.Step, k any, exchange bool, flip uint64, to mask) encoding.Step {
	p, ok := v.plainWide()
	if !ok {
		return step
	}
	a, b := &p.src[0], &p.src[1]
	if exchange {
		a, b = b, a
	}
	return v.runs(step, k, &p, []*plainSource{a, b}, ofTest(flip, to))
}

// runsTestToExec is runs for a test that writes EXEC and, in instruction sets that have one, the mask to. It returns step
// if an operand is not plain.
func (v *valu) runsTestToExec(step encoding.Step, k any, p *plainWave, plain, exchange bool, flip uint64, to mask) encoding.Step {
	if v.asPart == nil || !plain {
		return step
	}
	const toExec = wave.ExecLo
	and, move := alu.OpSAnd64, alu.OpSMov64
	if !to.pair {
		and, move = alu.OpSAnd32, alu.OpSMov32
	}
	sources := []*plainSource{&p.src[0], &p.src[1]}
	if exchange {
		sources[0], sources[1] = sources[1], sources[0]
	}
	passed, nowhere, exec := placeOfTemp(3), placeOfTemp(3)+registerBytes, placeOfS(toExec)
	v.runs(step, k, p, sources, func(_ *encoding.Part, op *alu.Op) bool {
		op.File[0], op.At[0], op.At[3] = alu.Rest, passed, uintptr(flip)
		return to.reg == toExec || to.reg > wave.ExecHi || to.reg+1 < toExec
	})
	if part := v.asPart; part.Step != nil && SameStep(part.Step, step) {
		part.Lanes, part.Exec = false, true // lanes that are not active are taken out of the mask
		left := alu.Op{Code: alu.Code(and),
			File: [8]uint8{alu.Rest, alu.Rest, alu.Rest, 0, alu.Rest}, At: [6]uintptr{exec, passed, exec, 0, nowhere}}
		part.Ops = append(part.Ops, left)
		if to.reg != toExec {
			part.Ops = append(part.Ops, moveOp(move, placeOfS(int(to.reg)), exec))
		}
	}
	return step
}

// signed are operands of which some singles are negated, or taken without their sign, and the first may be from other
// lanes.
func (v *valu) signed() (p plainWave, ok bool) {
	c := *v
	c.perm = nil
	c.seal()
	for n := range c.src {
		s := &c.src[n]
		if (s.abs || s.neg) && s.kind != alu.F32 || s.high || s.selected || s.halved != nil {
			return p, false
		}
		s.modified = false
	}
	if p, ok = c.plain(); !ok {
		return p, false
	}
	p.src[0].perm = v.src[0].perm
	const sign = 1 << 31
	for n := range v.src {
		if v.src[n].abs {
			p.src[n].clear = sign
		}
		if v.src[n].neg {
			p.src[n].flip = sign
		}
	}
	return p, true
}

// runsSigned is runs for such operands, count sources.
func (v *valu) runsSigned(step encoding.Step, k any, count int) encoding.Step {
	if v.Preserve {
		return v.runsPreserving(step, k, count)
	}
	p, ok := v.signed()
	if !ok {
		return step
	}
	return v.runs(step, k, &p, p.sources(count), nil)
}

// runsPreserving is runs for a kernel whose result goes to the low half of the destination.
func (v *valu) runsPreserving(step encoding.Step, k any, count int) encoding.Step {
	low := *v
	low.Preserve = false
	low.seal()
	p, ok := low.plain()
	if v.high || !ok {
		return step
	}
	result, at := placeOfTemp(3)+registerBytes, uintptr(p.dst)*registerBytes
	v.runs(step, k, &p, p.sources(count), func(_ *encoding.Part, op *alu.Op) bool {
		op.File[0], op.At[0] = alu.Rest, result
		return true
	})
	if part := v.asPart; part != nil && part.Step != nil && SameStep(part.Step, step) {
		and, merge := alu.OpOfKernel(alu.AndB32), alu.OpOfKernel(alu.AndOrB32)
		and.File, and.At = [8]uint8{alu.Rest, alu.Rest, alu.Fixed}, [6]uintptr{result, result, hostAddress(&alu.LowHalves)}
		merge.File = [8]uint8{alu.Vectors, alu.Vectors, alu.Fixed, alu.Rest}
		merge.At = [6]uintptr{at, at, hostAddress(&alu.HighHalves), result}
		part.Ops = append(part.Ops, and, merge)
	}
	return step
}

// runsMixed is runs for a kernel on singles of which some are made of halves.
func (v *valu) runsMixed(step encoding.Step, k alu.Kernel3, from *[3]alu.Mixing) encoding.Step {
	p, ok := v.plain()
	if !ok {
		return step
	}
	return v.runs(step, k, &p, p.sources(3), func(part *encoding.Part, op *alu.Op) bool {
		for n, m := range from {
			widen := alu.OpOfKernel(alu.CvtF32F16)
			if m.Shift != 0 {
				widen = alu.OpOfKernel(alu.CvtF32HighF16)
			}
			if m.Half {
				putBefore(part, op, n+1, widen, n)
			}
			putSign(part, op, n+1, m.Clear, m.Flip, n)
		}
		return true
	})
}
