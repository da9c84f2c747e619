package rows

import (
	"math"
	"math/rand"
	randv2 "math/rand/v2"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rdnaChips are the chips of RDNA, in both sizes of waves.
var rdnaChips = []encoding.Chip{encoding.Gfx1030.Wave32(), encoding.Gfx1030, encoding.Gfx1100.Wave32(), encoding.Gfx1100, encoding.Gfx1200.Wave32(), encoding.Gfx1200, encoding.Gfx1250.Wave32()}

// rdnaSemantics is the second implementation of what GFX9 does not have.
func rdnaSemantics() map[string]semantic {
	m := map[string]semantic{}
	addRDNA4(m)
	addGFX1250(m)
	plain := func(name string, f func(a, b, c uint64) uint64) {
		m[name] = func(x refLane) (uint64, bool) { return f(x.a, x.b, x.c), false }
	}
	legacy := func(a, b, c uint64) uint64 {
		if a<<33 == 0 || b<<33 == 0 {
			return refFMA32(0, 0, c)
		}
		return refFMA32(a, b, c)
	}
	for _, name := range []string{"dx9_zero", "legacy"} {
		plain("v_fma_"+name+"_f32", legacy)
		m["v_fmac_"+name+"_f32"] = func(x refLane) (uint64, bool) { return legacy(x.a, x.b, x.old), false }
	}
	half := func(a, b, c uint64) uint64 { return refFMA16(refHalf(a), refHalf(b), refHalf(c)) }
	m["v_fmac_f16"] = func(x refLane) (uint64, bool) {
		old := x.old
		if x.inst.OpSel>>encoding.Destination&1 != 0 {
			old >>= 16
		}
		return half(x.a, x.b, old&0xffff), false
	}
	plain("v_mullit_f32", func(a, b, c uint64) uint64 {
		if y := f32of(b); y <= -math.MaxFloat32 || math.IsNaN(y) || !(f32of(c) > 0) {
			return b32(-math.MaxFloat32)
		}
		if f32of(a) == 0 || f32of(b) == 0 {
			return 0
		}
		return b32(f32of(a) * f32of(b))
	})
	plain("v_fmamk_f16", half)
	plain("v_fmaak_f16", half)
	plain("v_mov_b16", func(a, _, _ uint64) uint64 { return a })
	plain("v_not_b16", func(a, _, _ uint64) uint64 { return ^a & 0xffff })
	plain("v_cvt_i32_i16", func(a, _, _ uint64) uint64 { return uint64(uint32(int32(int16(a)))) })
	plain("v_cvt_u32_u16", func(a, _, _ uint64) uint64 { return a })
	plain("v_xor3_b32", func(a, b, c uint64) uint64 { return a ^ b ^ c })
	plain("v_and_b16", func(a, b, _ uint64) uint64 { return a & b })
	plain("v_or_b16", func(a, b, _ uint64) uint64 { return a | b })
	plain("v_xor_b16", func(a, b, _ uint64) uint64 { return a ^ b })
	for name, e := range map[string]matrix.Entry{"f16": matrix.EntryF16, "bf16": matrix.EntryBF16} {
		m["v_dot2_"+name+"_"+name] = func(x refLane) (uint64, bool) {
			i := x.inst
			upper := func(bits uint64) float64 { return wmmaNumber(e, uint32(bits>>16&0xffff), false) } // modified
			lower := func(bits uint64, n int) float64 {
				v := wmmaNumber(e, uint32(bits&0xffff), false)
				if i.Abs>>n&1 != 0 {
					v = math.Abs(v)
				}
				if i.Neg>>n&1 != 0 {
					v = -v
				}
				return v
			}
			third := wmmaNumber(e, uint32(x.c&0xffff), false)
			return uint64(refWMMASum(e, []float64{lower(x.a, 0), upper(x.a), third}, []float64{lower(x.b, 1), upper(x.b), 1})), false
		}
	}
	m["v_cndmask_b16"] = func(x refLane) (uint64, bool) {
		if x.in {
			return x.b, false
		}
		return x.a, false
	}
	pick := func(name string, least, most func(a, b uint64) uint64) {
		plain("v_minmax_"+name, func(a, b, c uint64) uint64 { return most(least(a, b), c) })
		plain("v_maxmin_"+name, func(a, b, c uint64) uint64 { return least(most(a, b), c) })
	}
	pick("f32", refMinMax(false, f32of, 1<<22), refMinMax(true, f32of, 1<<22))
	pick("f16", refMinMax(false, refHalf, 1<<9), refMinMax(true, refHalf, 1<<9))
	pick("u32", func(a, b uint64) uint64 { return min(a, b) }, func(a, b uint64) uint64 { return max(a, b) })
	pick("i32", func(a, b uint64) uint64 { return uint64(uint32(min(i32at(a), i32at(b)))) }, func(a, b uint64) uint64 { return uint64(uint32(max(i32at(a), i32at(b)))) })
	plain("v_cvt_pk_i16_f32", func(a, b, _ uint64) uint64 {
		return uint64(uint16(int16(refSaturate(f32of(a), -32768, 32767)))) | uint64(uint16(int16(refSaturate(f32of(b), -32768, 32767))))<<16
	})
	plain("v_cvt_pk_u16_f32", func(a, b, _ uint64) uint64 {
		return uint64(refSaturate(f32of(a), 0, 65535)) | uint64(refSaturate(f32of(b), 0, 65535))<<16
	})
	for name, width := range map[string]uint{"v_dot4_i32_iu8": 8, "v_dot8_i32_iu4": 4} {
		m[name] = func(x refLane) (uint64, bool) {
			part := func(v uint64, n int, at uint) int64 {
				p := int64(v >> at % (1 << width))
				if x.inst.Neg>>n&1 != 0 && p >= 1<<(width-1) {
					p -= 1 << width
				}
				return p
			}
			sum := i32at(x.c)
			for at := uint(0); at < 32; at += width {
				sum += part(x.a, 0, at) * part(x.b, 1, at)
			}
			if x.clamp {
				sum = min(max(sum, math.MinInt32), math.MaxInt32)
			}
			return uint64(uint32(sum)), false
		}
	}
	return m
}

func i32at(a uint64) int64 { return int64(int32(a)) }

// crossLane are instructions of RDNA that look at other lanes than their own.
func crossLane(w, want *wave.Wave, i *encoding.Inst) bool {
	var source func(lane int) (from int, write, zero bool)
	active := func(lane int) bool { return w.Exec()>>lane&1 != 0 }
	switch i.Row.Name {
	case "v_permlane64_b32":
		source = func(lane int) (int, bool, bool) { return (lane + 32) % 64, !i.Wave32, false }
	case "v_permlane16_b32", "v_permlanex16_b32":
		low, high := refRead(w, &i.Src[1], encoding.Bits32, 0, false), refRead(w, &i.Src[2], encoding.Bits32, 0, false)
		source = func(lane int) (int, bool, bool) {
			from := lane/16*16 + int((high<<32|low)>>(lane%16*4)%16)
			if i.Row.Name == "v_permlanex16_b32" {
				from ^= 16
			}
			there := active(from) || i.OpSel&1 != 0
			return from, there || i.OpSel&2 != 0, !there
		}
	case "v_swap_b16":
		for lane := range w.Lanes() {
			if !active(lane) {
				continue
			}
			half := func(reg uint16, bit int) (*uint32, uint32, uint32) {
				shift := uint32(i.OpSel>>bit&1) * 16
				return &want.V[reg][lane], w.V[reg][lane] >> shift & 0xffff, shift
			}
			d, x, at := half(i.Dst.Reg, encoding.Destination)
			s, y, from := half(i.Src[0].Reg, 0)
			*d = *d&^(0xffff<<at) | y<<at
			*s = *s&^(0xffff<<from) | x<<from
		}
		return true
	default:
		return false
	}
	for lane := range w.Lanes() {
		if from, write, zero := source(lane); active(lane) && write {
			v := w.V[i.Src[0].Reg][from]
			if zero {
				v = 0
			}
			want.V[i.Dst.Reg][lane] = v
		}
	}
	return true
}

// TestEveryVectorInstructionOfRDNAAgreesWithReference is the same as for GFX9, in both sizes of waves.
func TestEveryVectorInstructionOfRDNAAgreesWithReference(t *testing.T) {
	t.Parallel()
	all, own := semantics(), rdnaSemantics()
	for _, chip := range rdnaChips {
		forms := map[encoding.Suffix]int{}
		of := map[*encoding.Row][]subject{}
		for _, s := range subjects(chip) {
			if s.row.Do != nil && vectorALU(s.enc) {
				of[s.row] = append(of[s.row], s)
			}
		}
		for row, subjects := range of {
			f, ok := own[row.Name]
			if !ok {
				f, ok = all[row.Kin()]
			}
			if crossLane(newWave(), newWave(), &encoding.Inst{Row: row}) {
				ok = true
			}
			if !ok {
				require.True(t, rdnaElsewhere(row), "%v: %s has no reference", chip, row.Name)
				continue
			}
			r := rand.New(rand.NewSource(int64(row.Op)<<8 + int64(len(row.Name))))
			values := randv2.New(randv2.NewPCG(uint64(row.Op), uint64(len(row.Name))))
			waves := max(lanesEach()/512, 4*len(subjects))
			if testing.Short() {
				waves = len(subjects)
			}
			for n, tried := 0, 0; n < waves; tried++ {
				require.Less(t, tried, 400*waves+1000, "%s: %d encodings execute", row.Name, n)
				s := subjects[tried%len(subjects)]
				i, err := Decode(propose(r, chip, s).bytes(), 0, chip)
				if err != nil || i.Row != row || i.Suffix != s.suffix || !nearRegisters(&i) || !Executable(&i) {
					continue
				}
				n++
				forms[i.Suffix]++
				if !compareVector(t, values, &i, f) {
					break
				}
			}
		}
		for _, suffix := range []encoding.Suffix{encoding.Plain, encoding.DPP, encoding.DPP8} {
			assert.NotZero(t, forms[suffix], suffix)
		}
	}
}

// rdnaElsewhere tells rows that other tests hold.
func rdnaElsewhere(row *encoding.Row) bool {
	return testedElsewhere(row) || rdna4Elsewhere(row) || strings.HasPrefix(row.Name, "v_movrel") || row.Name == "v_swaprel_b32" || row.Name == "v_pipeflush"
}

// TestPairsReadBeforeTheyWrite: both halves of a pair see the registers as they were.
func TestPairsReadBeforeTheyWrite(t *testing.T) {
	for _, chip := range []encoding.Chip{encoding.Gfx1100.Wave32(), encoding.Gfx1250.Wave32()} {
		for _, enc := range []encoding.Encoding{encoding.VOPD, encoding.VOPD3} {
			if enc == encoding.VOPD || chip.OnlyWave32() {
				pairsReadBeforeTheyWrite(t, chip, enc)
			}
		}
	}
}

func pairsReadBeforeTheyWrite(t *testing.T, chip encoding.Chip, enc encoding.Encoding) {
	t.Helper()
	r, values := rand.New(rand.NewSource(11)), randv2.New(randv2.NewPCG(1, 1))
	crossed := map[uint8]int{} // by the width of X's result
	for _, s := range subjects(chip) {
		if s.enc != enc {
			continue
		}
		for n := 0; n < 200; n++ {
			i, err := Decode(propose(r, chip, s).bytes(), 0, chip)
			if err != nil {
				continue
			}
			for _, half := range []*encoding.Inst{&i, i.Second} {
				half.Dst.Reg %= 8
				for k := range half.Src {
					if half.Src[k].Kind == encoding.VReg {
						half.Src[k].Reg %= 8
					}
				}
			}
			width := i.Dst.Width
			if d := i.Second.Dst.Reg; d >= i.Dst.Reg && d < i.Dst.Reg+uint16(width) {
				i.Second.Dst.Reg ^= uint16(width)
			}
			if i.Second.ReadsVector(int(i.Dst.Reg), int(width)) && i.ReadsVector(int(i.Second.Dst.Reg), 1) {
				crossed[width]++
			}
			w := randomState(values)
			w.SetSize(true)
			w.SetExec(uint64(values.Uint32()))
			first, second := *w, *w
			first.V, second.V = append([]alu.Lanes(nil), w.V...), append([]alu.Lanes(nil), w.V...)
			x := i
			x.Second = nil
			Bind(&x, false)(&first)
			Bind(i.Second, false)(&second)
			want := second.V
			copy(want[i.Dst.Reg:], first.V[i.Dst.Reg:i.Dst.Reg+uint16(width)])
			Bind(&i, false)(w)
			for reg := range want {
				require.Equal(t, want[reg][:32], w.V[reg][:32], "%s: v%d", &i, reg)
			}
		}
	}
	require.NotZero(t, crossed[1])
	require.Equal(t, enc == encoding.VOPD3, crossed[2] != 0)
}

// rdnaScalarSemantics is the second implementation of scalar instructions that GFX9 does not have.
func rdnaScalarSemantics() map[string]scalarSemantic {
	m := map[string]scalarSemantic{}
	addScalarRDNA4(m)
	m["s_pack_hl_b32_b16"] = func(x refScalar) (uint64, sccFate) { return x.a>>16&0xffff | x.b<<16&0xffffffff, flagUnchanged }
	for name, f := range map[string]func(a, exec uint64) uint64{
		"and": func(a, e uint64) uint64 { return a & e }, "or": func(a, e uint64) uint64 { return a | e }, "xor": func(a, e uint64) uint64 { return a ^ e },
		"nand": func(a, e uint64) uint64 { return ^(a & e) }, "nor": func(a, e uint64) uint64 { return ^(a | e) }, "xnor": func(a, e uint64) uint64 { return ^(a ^ e) },
		"and_not0": func(a, e uint64) uint64 { return ^a & e }, "or_not0": func(a, e uint64) uint64 { return ^a | e },
		"and_not1": func(a, e uint64) uint64 { return a &^ e }, "or_not1": func(a, e uint64) uint64 { return a | ^e },
	} {
		now := func(x refScalar) uint64 { return f(x.a, x.exec) & math.MaxUint32 }
		m["s_"+name+"_saveexec_b32"] = func(x refScalar) (uint64, sccFate) { return x.exec & math.MaxUint32, flagOf(now(x) != 0) }
		m["s_"+name+"_wrexec_b32"] = func(x refScalar) (uint64, sccFate) { return now(x), flagOf(now(x) != 0) }
	}
	vectors := semantics()
	for _, list := range [][]encoding.Row{rows11Salu().sop2, rows11Salu().sop1, rows11Salu().sopc} {
		for _, row := range list {
			name := "v_" + strings.TrimPrefix(row.Name, "s_")
			switch row.Name {
			case "s_fmaak_f32", "s_fmamk_f32", "s_fmac_f32":
				name = "v_fma_f32"
			case "s_fmac_f16":
				name = "v_fma_f16"
			case "s_cvt_pk_rtz_f16_f32":
				name = "v_cvt_pkrtz_f16_f32"
			case "s_cvt_hi_f32_f16":
				name = "v_cvt_f32_f16"
			}
			f, compares := vectors[name], strings.HasPrefix(row.Name, "s_cmp")
			m[row.Name] = func(x refScalar) (uint64, sccFate) {
				c := x.old
				if row.Form.Src[2].Class != encoding.NoSlot {
					c = x.c
				}
				a, b := x.a, x.b
				if is16(row.Form.Src[0].Type) {
					a, b, c = a&0xffff, b&0xffff, c&0xffff
				}
				if row.Name == "s_cvt_hi_f32_f16" {
					a = x.a >> 16
				}
				r, is := f(refLane{a: a, b: b, c: c, inst: &encoding.Inst{Row: &row, Chip: encoding.Gfx1151}})
				if compares {
					return 0, flagOf(is)
				}
				if strings.HasSuffix(row.Name, "f16") && !strings.HasPrefix(row.Name, "s_cvt") {
					r &= 0xffff
				}
				return r & math.MaxUint32, flagUnchanged
			}
		}
	}
	return m
}

// TestEveryScalarInstructionOfRDNAAgreesWithReference is the same as for GFX9, in both sizes of waves.
func TestEveryScalarInstructionOfRDNAAgreesWithReference(t *testing.T) {
	t.Parallel()
	all, own := scalarSemantics(), rdnaScalarSemantics()
	temp := new([2]wave.Wave)
	for _, chip := range append(rdnaChips, encoding.Gfx1151.Wave32()) {
		temp[0].SetSize(chip.IsWave32())
		temp[1].SetSize(chip.IsWave32())
		for _, s := range subjects(chip) {
			if s.row.Do == nil || !scalarALU(s.enc) || testedElsewhere(s.row) || rdna4Elsewhere(s.row) || strings.HasPrefix(s.row.Name, "s_waitcnt") || strings.HasPrefix(s.row.Name, "s_sendmsg") || strings.HasPrefix(s.row.Name, "s_subvector") || s.row.Name == "s_version" || s.row.Name == "s_inst_prefetch" {
				continue
			}
			f, ok := own[s.row.Kin()]
			if !ok {
				f, ok = all[s.row.Kin()]
			}
			require.True(t, ok, "%v: %s has no reference", chip, s.row.Name)
			r := rand.New(rand.NewSource(int64(s.row.Op)<<8 + int64(s.enc)))
			values := randv2.New(randv2.NewPCG(uint64(s.row.Op), uint64(s.enc)))
			for range lanesEach() / 20 {
				i, err := Decode(propose(r, chip, s).bytes(), 0, chip)
				if err != nil || i.Row != s.row || !nearRegisters(&i) || !Executable(&i) {
					continue
				}
				if !compareScalar(t, values, temp, &i, Bind(&i, false), f) {
					return
				}
			}
		}
	}
}
