package rows

import (
	"math/rand"
	randv2 "math/rand/v2"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// TestEveryScalarInstructionAgreesWithReference runs random encodings of each
// scalar ALU row on random registers, and compares all of them and SCC.
func TestEveryScalarInstructionAgreesWithReference(t *testing.T) {
	t.Parallel()
	all := scalarSemantics()
	eachRow(func(chip encoding.Chip, row *encoding.Row) {
		f, ok := all[row.Name]
		if !ok {
			return
		}
		var of subject
		for _, s := range subjects(chip) {
			if s.row == row {
				of = s
			}
		}
		r := rand.New(rand.NewSource(int64(row.Op)<<8 + int64(of.enc)))
		values := randv2.New(randv2.NewPCG(uint64(row.Op), uint64(of.enc)))
		var step encoding.Step
		var i encoding.Inst
		temp := new([2]wave.Wave)
		for n := range lanesEach() {
			for step == nil || n%16 == 0 {
				p := propose(r, chip, of)
				decoded, err := Decode(p.bytes(), 0, chip)
				if err == nil && decoded.Row == row && nearRegisters(&decoded) && Executable(&decoded) {
					i, step = decoded, nil
					step = row.Do(&i)
					break
				}
			}
			if !compareScalar(t, values, temp, &i, step, f) {
				return
			}
		}
	})
}

func compareScalar(t *testing.T, r *randv2.Rand, temp *[2]wave.Wave, i *encoding.Inst, step encoding.Step, f scalarSemantic) bool {
	w, want := &temp[0], &temp[1]
	w.Mode, w.SharedBase, w.PrivateBase, w.SCC = defaultMode, 1<<48, 2<<48, r.Uint32N(2)
	seed := r.Uint32()
	for n := range w.S[:wave.NamedScalars] {
		w.S[n] = seed * uint32(2*n+1)
	}
	form := i.Row.Form
	for n := range i.Src {
		switch o := &i.Src[n]; {
		case o.Kind == encoding.SReg && form.Src[n].Type != encoding.Bits64 && r.IntN(3) == 0: // a field, for those that take one
			w.S[o.Reg] = r.Uint32N(64) | r.Uint32N(70)<<16
		default:
			fillSource(r, w, o, form.Src[n].Type, samples.Value)
		}
	}
	fillSource(r, w, &i.Dst, form.Dst.Type, samples.Value)
	want.S, want.SCC = w.S, w.SCC
	x := refScalar{scc: w.SCC != 0, exec: w.Exec(), old: refRead(w, &i.Dst, form.Dst.Type, 0, false)}
	signed := strings.Contains(i.Row.Name, "i64")
	x.a = refRead(w, &i.Src[0], form.Src[0].Type, 0, signed)
	x.b = refRead(w, &i.Src[1], form.Src[1].Type, 0, false)
	if i.Enc == encoding.SOPK {
		x.b = uint64(uint32(i.Imm))
	}
	v, scc := f(x)
	if i.Dst.Kind == encoding.SReg {
		want.S[i.Dst.Reg] = uint32(v)
		if form.Dst.Type == encoding.Bits64 {
			want.S[(i.Dst.Reg+1)&wave.AllScalars] = uint32(v >> 32)
		}
	}
	if strings.Contains(i.Row.Name, "exec_b64") {
		now := v
		if strings.Contains(i.Row.Name, "saveexec") {
			name := "s_" + strings.TrimSuffix(strings.TrimPrefix(i.Row.Name, "s_"), "_saveexec_b64") + "_wrexec_b64"
			now, _ = scalarTable[name](x)
		}
		want.SetExec(now)
	}
	if scc != flagUnchanged {
		want.SCC = uint32(scc - flagClear)
	}
	step(w)
	require.Equal(t, wave.Running, w.Status, "%s", i)
	return sameState(t, i, want, want, w, 0)
}

var scalarTable = scalarSemantics()
