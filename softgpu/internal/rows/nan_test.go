package rows

import (
	"math/rand"
	randv2 "math/rand/v2"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRowsAreTheSameWhateverTheMode compares what a row does in the usual MODE
// with what it does in others, under the usual one, in random forms: all bits.
// IEEE mode makes a difference where there are NaNs, so those rows see none.
func TestRowsAreTheSameWhateverTheMode(t *testing.T) {
	r, values := rand.New(rand.NewSource(23)), randv2.New(randv2.NewPCG(24, 25))
	compared := map[string]bool{}
	eachRow(func(chip encoding.Chip, row *encoding.Row) {
		m, has := modals[row.Name]
		if !has {
			return
		}
		numbers := m.bits&alu.IEEEMode != 0
		var of []subject
		for _, s := range subjects(chip) {
			if s.row == row && vectorALU(s.enc) {
				of = append(of, s)
			}
		}
		for n, tried := 0, 0; n < 60 && len(of) != 0; tried++ {
			require.Less(t, tried, 10_000, row.Name)
			s := of[tried%len(of)]
			i, err := Decode(propose(r, chip, s).bytes(), 0, chip)
			if err != nil || i.Row != row || i.Suffix != s.suffix || !nearRegisters(&i) || !Executable(&i) ||
				numbers && (i.Src[0].Code == bind.CodeLiteral || i.Src[1].Code == bind.CodeLiteral) {
				continue
			}
			n++
			w := randomState(values)
			for s := range i.Src {
				fillStrange(values, w, &i.Src[s], row.Form.Src[s].Type)
			}
			fillStrange(values, w, &i.Dst, row.Form.Dst.Type)
			if numbers {
				withoutNaNs(w)
			}
			other := *w
			other.V, other.A = append([]alu.Lanes(nil), w.V...), append([]alu.Lanes(nil), w.A...)
			before := append([]alu.Lanes(nil), w.V...)
			Bind(&i, false)(w)
			m.meaning(alu.UsualMode)(&i)(&other)
			for reg := range w.V {
				for l := range w.V[reg] {
					if w.V[reg][l] != other.V[reg][l] {
						t.Errorf("%s: lane %d of v%d is %#x, and %#x by way of modes; before %#x", &i, l, reg, w.V[reg][l], other.V[reg][l], before[reg][l])
						return
					}
				}
			}
			compared[row.Name] = true
		}
	})
	assert.Greater(t, len(compared), 50)
}

// withoutNaNs leaves no register that is a NaN in any format.
func withoutNaNs(w *wave.Wave) {
	for n := range w.S[:wave.ExecLo] {
		w.S[n] &^= 0x40004000
	}
	for n := range w.V {
		for l := range w.V[n] {
			w.V[n][l] &^= 0x40004000
		}
	}
}

func fillStrange(r *randv2.Rand, w *wave.Wave, o *encoding.Operand, t encoding.Type) {
	fillSource(r, w, o, t, samples.Value)
	if o.Kind != encoding.VReg {
		return
	}
	letter := map[encoding.Type]byte{encoding.Float16: 'h', encoding.PackedFloat16: 'h', encoding.Float32: 'f', encoding.PackedFloat32: 'f', encoding.Float64: 'F'}[t]
	if letter == 0 {
		return
	}
	lo, hi := samples.StrangeLanes[alu.Lanes](r, letter)
	w.V[o.Reg] = *lo
	switch {
	case t == encoding.PackedFloat32:
		hi, _ = samples.StrangeLanes[alu.Lanes](r, letter)
		fallthrough
	case t == encoding.Float64:
		w.V[o.Reg+1] = *hi
	}
}

// TestWhichNaNComesOut spells the rule.
func TestWhichNaNComesOut(t *testing.T) {
	const quiet, signalling, inf = 0xffc01234, 0x7f801001, 0x7f800000
	for _, c := range []struct {
		name string
		src  []uint32
		want uint32
	}{
		{"v_add_f32", []uint32{quiet, signalling}, quiet}, {"v_add_f32", []uint32{signalling, quiet}, 0x7fc01001},
		{"v_sub_f32", []uint32{inf, inf}, 0xffc00000}, {"v_subrev_f32", []uint32{quiet, signalling}, 0x7fc01001},
		{"v_mul_f32", []uint32{0, inf}, 0xffc00000}, {"v_mul_f32", []uint32{0, quiet}, quiet},
		{"v_fma_f32", []uint32{signalling, quiet, quiet}, 0x7fc01001}, {"v_fma_f32", []uint32{1, quiet, signalling}, quiet},
		{"v_fma_f32", []uint32{0, inf, signalling}, 0x7fc01001}, {"v_fma_f32", []uint32{0, inf, 0}, 0xffc00000},
		{"v_mad_f32", []uint32{0, inf, signalling}, 0xffc00000}, {"v_sqrt_f32", []uint32{0xbf800000}, 0xffc00000},
		{"v_log_f32", []uint32{0xbf800000}, 0xffc00000}, {"v_sin_f32", []uint32{signalling}, 0x7fc01001},
		{"v_add_f16", []uint32{0xfd01, 0x7e02}, 0xff01}, {"v_sub_f16", []uint32{0x7c00, 0x7c00}, 0xfe00},
		{"v_fma_f16", []uint32{0, 0x7c00, 0x7d02}, 0xdead7f02}, {"v_fma_f16", []uint32{0xfe03, 0x7e02, 0x7d02}, 0xdeadfe03},
		{"v_cvt_f16_f32", []uint32{signalling}, 0x7e00}, {"v_cvt_f32_f16", []uint32{0xfd01}, 0xffe02000},
		{"v_div_fixup_f32", []uint32{0, 0, 0}, 0xffc00000}, {"v_div_scale_f32", []uint32{0, 0, 0}, 0xffc00000},
	} {
		regs := []uint32{v(4), v(8), v(12)}[:len(c.src)]
		assert.Equal(t, c.want, one(t, defaultMode, long(t, c.name, v(20), regs...), c.src...), "%s%#x", c.name, c.src)
	}
}
