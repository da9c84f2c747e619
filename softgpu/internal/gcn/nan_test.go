package gcn

import (
	"math/rand"
	randv2 "math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
)

func ofWide1(k wideKernel1) wideKernel {
	return func(dl, dh, al, ah, _, _, _, _ *Lanes) { k(dl, dh, al, ah) }
}

func ofWide2(k wideKernel2) wideKernel {
	return func(dl, dh, al, ah, bl, bh, _, _ *Lanes) { k(dl, dh, al, ah, bl, bh) }
}

// TestNaNsAreTheSameInAssemblyAndWithout compares kernels bit for bit, NaNs too.
func TestNaNsAreTheSameInAssemblyAndWithout(t *testing.T) {
	r := randv2.New(randv2.NewPCG(21, 22))
	for range 400 {
		for _, k := range []struct {
			name           string
			letter         byte
			fast, portable kernel3
		}{
			{"add_f32", 'f', asKernel3(addF32), asKernel3(portableAddF32)}, {"sub_f32", 'f', asKernel3(subF32), asKernel3(portableSubF32)},
			{"subrev_f32", 'f', asKernel3(subrevF32), asKernel3(portableSubrevF32)}, {"mul_f32", 'f', asKernel3(mulF32), asKernel3(portableMulF32)},
			{"min_f32", 'f', asKernel3(minF32), asKernel3(portableMinF32)}, {"max_f32", 'f', asKernel3(maxF32), asKernel3(portableMaxF32)},
			{"fma_f32", 'f', fmaF32, portableFmaF32}, {"ldexp_f32", 'f', asKernel3(ldexpF32), asKernel3(portableLdexpF32)},
			{"rndne_f32", 'f', of1(rndneF32), of1(portableRndneF32)}, {"floor_f32", 'f', of1(floorF32), of1(portableFloorF32)},
			{"ceil_f32", 'f', of1(ceilF32), of1(portableCeilF32)}, {"trunc_f32", 'f', of1(truncF32), of1(portableTruncF32)},
			{"fract_f32", 'f', of1(fractF32), of1(portableFractF32)}, {"rcp_f32", 'f', of1(rcpF32), of1(portableRcpF32)},
			{"sqrt_f32", 'f', of1(sqrtF32), of1(portableSqrtF32)}, {"rsq_f32", 'f', of1(rsqF32), of1(portableRsqF32)},
			{"exp_f32", 'f', of1(expF32), of1(portableExpF32)}, {"log_f32", 'f', of1(logF32), of1(portableLogF32)},
			{"sin_f32", 'f', of1(sinF32), of1(portableSinF32)}, {"cos_f32", 'f', of1(cosF32), of1(portableCosF32)},
			{"fma_to_f16", 'f', fmaToF16, portableFmaToF16}, {"flush_f32", 'f', of1(flushF32), of1(portableFlushF32)}, {"flush_f16", 'h', of1(flushF16), of1(portableFlushF16)},
			{"cvt_f32_f16", 'h', of1(cvtF32F16), of1(portableCvtF32F16)}, {"cvt_f16_f32", 'f', of1(cvtF16F32), of1(portableCvtF16F32)},
		} {
			a, _ := samples.StrangeLanes[Lanes](r, k.letter)
			b, _ := samples.StrangeLanes[Lanes](r, k.letter)
			c, _ := samples.StrangeLanes[Lanes](r, k.letter)
			var want, got Lanes
			k.portable(&want, a, b, c)
			k.fast(&got, a, b, c)
			for l := range want {
				require.Equal(t, want[l], got[l], "%s(%#x, %#x, %#x), got %#x", k.name, a[l], b[l], c[l], got[l])
			}
		}
		for _, k := range []struct {
			name           string
			fast, portable wideKernel
		}{
			{"add_f64", addF64, portableAddF64}, {"mul_f64", mulF64, portableMulF64}, {"fma_f64", fmaF64, portableFmaF64},
			{"rndne_f64", ofWide1(rndneF64), ofWide1(portableRndneF64)}, {"floor_f64", ofWide1(floorF64), ofWide1(portableFloorF64)},
			{"ceil_f64", ofWide1(ceilF64), ofWide1(portableCeilF64)}, {"trunc_f64", ofWide1(truncF64), ofWide1(portableTruncF64)},
			{"sqrt_f64", ofWide1(sqrtF64), ofWide1(portableSqrtF64)}, {"rcp_f64", ofWide1(rcpF64), ofWide1(portableRcpF64)},
			{"rsq_f64", ofWide1(rsqF64), ofWide1(portableRsqF64)}, {"fract_f64", ofWide1(fractF64), ofWide1(portableFractF64)},
			{"min_f64", ofWide2(minF64), ofWide2(portableMinF64)}, {"max_f64", ofWide2(maxF64), ofWide2(portableMaxF64)},
		} {
			al, ah := samples.StrangeLanes[Lanes](r, 'F')
			bl, bh := samples.StrangeLanes[Lanes](r, 'F')
			cl, ch := samples.StrangeLanes[Lanes](r, 'F')
			if r.IntN(2) == 0 {
				for l := range ah { // no NaNs
					ah[l], bh[l] = ah[l]&^(1<<30), bh[l]&^(1<<30)
				}
				*al, *bl, ah[0], bh[0] = Lanes{}, *al, 1<<31, 0
			}
			var wl, wh, gl, gh Lanes
			k.portable(&wl, &wh, al, ah, bl, bh, cl, ch)
			k.fast(&gl, &gh, al, ah, bl, bh, cl, ch)
			for l := range wl {
				require.Equal(t, join(wl[l], wh[l]), join(gl[l], gh[l]), "%s(%#x, %#x, %#x)", k.name, join(al[l], ah[l]), join(bl[l], bh[l]), join(cl[l], ch[l]))
			}
		}
	}
}

func TestNaNsOfMatricesAreTheSameInAssemblyAndWithout(t *testing.T) {
	r := randv2.New(randv2.NewPCG(26, 27))
	for range 400 {
		b, _ := samples.StrangeLanes[Lanes](r, 'f')
		rows, _ := samples.StrangeLanes[Lanes](r, 'f')
		want, _ := samples.StrangeLanes[Lanes](r, 'f')
		got := *want
		portableMatrixF32(want, b, (*[8]uint32)(rows[:8]))
		matrixF32(&got, b, (*[8]uint32)(rows[:8]))
		require.Equal(t, *want, got)
	}
}

// of1 is k with a second and a third source that it does not look at.
func of1(k kernel1) kernel3 { return func(d, a, _, _ *Lanes) { k(d, a) } }

// TestRowsAreTheSameWhateverTheMode compares what a row does in the usual MODE
// with what it does in others, under the usual one, in random forms: all bits.
// IEEE mode makes a difference where there are NaNs, so those rows see none.
func TestRowsAreTheSameWhateverTheMode(t *testing.T) {
	r, values := rand.New(rand.NewSource(23)), randv2.New(randv2.NewPCG(24, 25))
	compared := map[string]bool{}
	eachRow(func(chip Chip, row *Row) {
		m, has := modals[row.Name]
		if !has {
			return
		}
		numbers := m.bits&ieeeMode != 0
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
				numbers && (i.Src[0].Code == codeLiteral || i.Src[1].Code == codeLiteral) {
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
			other.V, other.A = append([]Lanes(nil), w.V...), append([]Lanes(nil), w.A...)
			before := append([]Lanes(nil), w.V...)
			Bind(&i, false)(w)
			m.meaning(usualMode)(&i)(&other)
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
func withoutNaNs(w *Wave) {
	for n := range w.S[:ExecLo] {
		w.S[n] &^= 0x40004000
	}
	for n := range w.V {
		for l := range w.V[n] {
			w.V[n][l] &^= 0x40004000
		}
	}
}

func fillStrange(r *randv2.Rand, w *Wave, o *Operand, t Type) {
	fillSource(r, w, o, t, samples.Value)
	if o.Kind != VReg {
		return
	}
	letter := map[Type]byte{Float16: 'h', PackedFloat16: 'h', Float32: 'f', PackedFloat32: 'f', Float64: 'F'}[t]
	if letter == 0 {
		return
	}
	lo, hi := samples.StrangeLanes[Lanes](r, letter)
	w.V[o.Reg] = *lo
	switch {
	case t == PackedFloat32:
		hi, _ = samples.StrangeLanes[Lanes](r, letter)
		fallthrough
	case t == Float64:
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
