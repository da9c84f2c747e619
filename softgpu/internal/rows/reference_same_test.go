package rows

import (
	"fmt"
	"slices"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// sameState compares everything that an instruction may write.
func sameState(t *testing.T, i *encoding.Inst, before, want, got *wave.Wave, unsure uint64) bool {
	t.Helper()
	d := i.Dst
	for file, regs := range map[string][2][]alu.Lanes{"v": {want.V, got.V}, "a": {want.A, got.A}} {
		for n := range regs[0] {
			for l := range regs[0][n] {
				x, y := regs[0][n][l], regs[1][n][l]
				if x == y || l >= got.Lanes() {
					continue
				}
				ours := d.Reg <= uint16(n) && uint16(n) <= d.Reg+1
				if ours && (unsure>>l&1 != 0 || closeEnough(i, regs, n, l)) {
					continue
				}
				var src []string
				for s := range i.Src {
					if i.Src[s].Kind != encoding.NoOperand {
						v, _ := refSource(before, i, s, l)
						src = append(src, fmt.Sprintf("%#x", v))
					}
				}
				t.Errorf("%s: lane %d of %s%d is %#x, want %#x; sources %v, before %#x, exec %#x", i, l, file, n, y, x, src, before.V[n][l], before.Exec())
				return false
			}
		}
	}
	if !slices.Equal(want.S[:wave.NamedScalars], got.S[:wave.NamedScalars]) || want.SCC != got.SCC {
		for n := range want.S[:wave.NamedScalars] {
			if want.S[n] != got.S[n] {
				t.Errorf("%s: s%d is %#x, want %#x (exec %#x)", i, n, got.S[n], want.S[n], before.Exec())
				return false
			}
		}
		t.Errorf("%s: SCC is %d, want %d", i, got.SCC, want.SCC)
		return false
	}
	return true
}

// closeEnough accepts any NaN for a NaN, and of the instructions that hardware
// approximates results that are one unit of the last place away.
func closeEnough(i *encoding.Inst, regs [2][]alu.Lanes, n, l int) bool {
	read := func(f []alu.Lanes, at int) uint64 { return uint64(f[at][l]) }
	units := uint64(0)
	if approximate[i.Row.Kin()] {
		units = 1
	}
	near := func(a, b uint64) bool { return a == b || max(a, b)-min(a, b) <= units }
	low := int(i.Dst.Reg)
	x, y := read(regs[0], n), read(regs[1], n)
	switch t := i.Row.Form.Dst.Type; t {
	case encoding.Float32, encoding.PackedFloat32:
		return alu.IsNaN32(uint32(x)) && alu.IsNaN32(uint32(y)) || near(x, y)
	case encoding.Float64:
		x, y = read(regs[0], low)|read(regs[0], low+1)<<32, read(regs[1], low)|read(regs[1], low+1)<<32
		return alu.OrderF64.IsNaN(x) && alu.OrderF64.IsNaN(y) || near(x, y)
	case encoding.Float16, encoding.PackedFloat16, encoding.PackedBits16, encoding.Bits32, encoding.BFloat16, encoding.PackedBFloat16:
		order := alu.OrderF16
		if t == encoding.BFloat16 || t == encoding.PackedBFloat16 {
			order = alu.OrderBF16
		}
		if t == encoding.Bits32 && i.Row.Name != "v_pack_b32_f16" {
			return false
		}
		for shift := 0; shift < 32; shift += 16 {
			p, q := x>>shift&0xffff, y>>shift&0xffff
			if !(order.IsNaN(p) && order.IsNaN(q)) && !near(p, q) {
				return false
			}
		}
		return true
	}
	return false
}

// approximate are those whose results may be off by one in the last place.
var approximate = map[string]bool{
	"v_exp_f32": true, "v_log_f32": true, "v_sin_f32": true, "v_cos_f32": true, "v_rsq_f32": true, "v_rsq_f64": true,
	"v_exp_f16": true, "v_log_f16": true, "v_sin_f16": true, "v_cos_f16": true, "v_rsq_f16": true, "v_rcp_f64": true, "v_sqrt_f64": true,
	"v_exp_legacy_f32": true, "v_log_legacy_f32": true,
}

// wholeWave are the instructions that look at more than their own lane.
var wholeWave = map[string]func(w, want *wave.Wave, i *encoding.Inst){
	"v_readfirstlane_b32": func(w, want *wave.Wave, i *encoding.Inst) {
		lane := 0
		for l := w.Lanes() - 1; l >= 0; l-- {
			if w.Exec()>>l&1 != 0 {
				lane = l
			}
		}
		want.S[i.Dst.Reg] = uint32(refRead(w, &i.Src[0], encoding.Bits32, lane, false))
	},
	"v_readlane_b32": func(w, want *wave.Wave, i *encoding.Inst) {
		lane := int(refRead(w, &i.Src[1], encoding.Bits32, 0, false)) % w.Lanes()
		want.S[i.Dst.Reg] = uint32(refRead(w, &i.Src[0], encoding.Bits32, lane, false))
	},
	"v_writelane_b32": func(w, want *wave.Wave, i *encoding.Inst) {
		lane := int(refRead(w, &i.Src[1], encoding.Bits32, 0, false)) % w.Lanes()
		want.V[i.Dst.Reg][lane] = uint32(refRead(w, &i.Src[0], encoding.Bits32, 0, false))
	},
	"v_mqsad_u32_u8": func(w, want *wave.Wave, i *encoding.Inst) {
		for l := range 64 {
			if w.Exec()>>l&1 == 0 {
				continue
			}
			a, b := refRead(w, &i.Src[0], encoding.Bits64, l, false), refRead(w, &i.Src[1], encoding.Bits32, l, false)
			for n := range 4 {
				sum := w.V[int(i.Src[2].Reg)+n][l]
				for at := 0; at < 32; at += 8 {
					if x, y := int(a>>(8*n+at)&255), int(b>>at&255); y != 0 {
						sum += uint32(max(x-y, y-x))
					}
				}
				want.V[int(i.Dst.Reg)+n][l] = sum
			}
		}
	},
	"v_swap_b32": func(w, want *wave.Wave, i *encoding.Inst) {
		for l := range 64 {
			if w.Exec()>>l&1 != 0 {
				want.V[i.Dst.Reg][l], want.V[i.Src[0].Reg][l] = w.V[i.Src[0].Reg][l], w.V[i.Dst.Reg][l]
			}
		}
	},
}
