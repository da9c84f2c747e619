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
	if i.Wave32 {
		w.S[wave.ExecHi] = 0
	}
	want.S, want.SCC = w.S, w.SCC
	x := refScalar{scc: w.SCC != 0, exec: w.Exec(), old: refRead(w, &i.Dst, form.Dst.Type, 0, false)}
	signed := strings.Contains(i.Row.Name, "i64")
	x.a = refRead(w, &i.Src[0], form.Src[0].Type, 0, signed)
	x.b = refRead(w, &i.Src[1], form.Src[1].Type, 0, false)
	x.c = refRead(w, &i.Src[2], form.Src[2].Type, 0, false)
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
	if strings.Contains(i.Row.Kin(), "exec_b64") {
		now := v
		if strings.Contains(i.Row.Kin(), "saveexec") {
			name := "s_" + strings.TrimSuffix(strings.TrimPrefix(i.Row.Kin(), "s_"), "_saveexec_b64") + "_wrexec_b64"
			now, _ = scalarTable[name](x)
		}
		want.SetExec(now)
	}
	if strings.Contains(i.Row.Kin(), "exec_b32") {
		now := v
		if name, saves := strings.CutSuffix(i.Row.Kin(), "_saveexec_b32"); saves {
			now, _ = rdnaScalarTable[name+"_wrexec_b32"](x)
		}
		want.S[wave.ExecLo] = uint32(now)
	}
	if i.Wave32 {
		want.S[wave.ExecHi] = 0
	}
	if scc != flagUnchanged {
		want.SCC = uint32(scc - flagClear)
	}
	step(w)
	if letter := scalarFloatLetter(i); letter != 0 && samples.IsNaN(letter, v) && samples.IsNaN(letter, uint64(w.S[i.Dst.Reg])) {
		want.S[i.Dst.Reg] = w.S[i.Dst.Reg] // any NaN will do
	}
	if i.Row.Name == "s_cvt_pk_rtz_f16_f32" {
		for shift := 0; shift < 32; shift += 16 {
			if got := w.S[i.Dst.Reg] >> shift & 0xffff; samples.IsNaN('h', uint64(got)) && samples.IsNaN('h', v>>shift&0xffff) {
				want.S[i.Dst.Reg] = want.S[i.Dst.Reg]&^(0xffff<<shift) | got<<shift
			}
		}
	}
	require.Equal(t, wave.Running, w.Status, "%s", i)
	return sameState(t, i, want, want, w, 0)
}

// scalarFloatLetter is the letter of a result that is a float; 0: it is none.
func scalarFloatLetter(i *encoding.Inst) byte {
	switch name := i.Row.Name; {
	case i.Dst.Kind != encoding.SReg:
	case strings.HasPrefix(name, "s_cvt_f16"), strings.HasSuffix(name, "_f16") && !strings.HasPrefix(name, "s_cvt"):
		return 'h'
	case strings.Contains(name, "f32") && !strings.Contains(name, "i32_f32") && !strings.Contains(name, "u32_f32") && !strings.Contains(name, "rtz"):
		return 'f'
	}
	return 0
}

var scalarTable, rdnaScalarTable = scalarSemantics(), rdnaScalarSemantics()
