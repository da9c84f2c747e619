package rows

import (
	"fmt"
	"math"
	"math/rand"
	randv2 "math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// lanesEach is how many lanes are compared of every opcode.
func lanesEach() int {
	n := 10240
	if raceEnabled || testing.Short() {
		n /= 10
	}
	if os.Getenv("MGPU_TEST_LONG") == "1" {
		n *= 10
	}
	return n
}

// vectorALU are the encodings whose instructions compute lane by lane.
func vectorALU(e encoding.Encoding) bool {
	return e == encoding.VOP1 || e == encoding.VOP2 || e == encoding.VOPC || e == encoding.VOP3 || e == encoding.VOP3P
}

func scalarALU(e encoding.Encoding) bool {
	return e == encoding.SOP1 || e == encoding.SOP2 || e == encoding.SOPC || e == encoding.SOPK
}

// testedElsewhere tells executing rows of these encodings that are not functions of
// lanes or of scalars, by the tests that hold them.
func testedElsewhere(row *encoding.Row) bool {
	name := row.Name
	switch {
	case strings.HasPrefix(name, "v_mfma_"), strings.HasPrefix(name, "v_smfmac_"): // matrix_reference_test.go
		return true
	case strings.HasPrefix(name, "v_wmma_"), strings.HasPrefix(name, "v_swmmac_"): // reference_wmma_test.go
		return true
	case strings.HasPrefix(name, "s_set_gpr_idx"), strings.HasPrefix(name, "s_movrel"): // index_test.go
		return true
	}
	switch row.Kin() {
	case "v_nop", "v_clrexcp", // nothing to compare
		"s_getpc_b64", "s_setpc_b64", "s_swappc_b64", "s_call_b64", // scalar_test.go, emu's programs
		"s_add_pc_i64", "s_get_shader_cycles_u64", // likewise, and a clock
		"s_getreg_b32", "s_setreg_b32", "s_setreg_imm32_b32": // scalar_test.go
		return true
	}
	return false
}

// TestNoRowLacksAReference: every executing ALU row of every chip is compared
// with the second implementation, or is listed as tested elsewhere.
func TestNoRowLacksAReference(t *testing.T) {
	vector, scalar := semantics(), scalarSemantics()
	for chip := range encoding.NumGFX9 {
		for row, e := range executingRows(chip) {
			if testedElsewhere(row) {
				continue
			}
			if vectorALU(e) {
				require.Contains(t, vector, row.Name, "%v", chip)
			} else {
				require.Contains(t, scalar, row.Name, "%v", chip)
			}
		}
	}
}

// executingRows returns the ALU rows of a chip that have a meaning.
func executingRows(chip encoding.Chip) map[*encoding.Row]encoding.Encoding {
	rows := map[*encoding.Row]encoding.Encoding{}
	for e := range tableOf(chip) {
		if !vectorALU(encoding.Encoding(e)) && !scalarALU(encoding.Encoding(e)) {
			continue
		}
		for _, row := range tableOf(chip)[e] {
			if row != nil && row.Do != nil {
				if _, seen := rows[row]; !seen {
					rows[row] = encoding.Encoding(e)
				}
			}
		}
	}
	return rows
}

// eachRow calls f for each row once, on the chip that it is tested on: gfx906
// where that has it.
func eachRow(f func(chip encoding.Chip, row *encoding.Row)) {
	done := map[*encoding.Row]bool{}
	for _, chip := range []encoding.Chip{encoding.Gfx906, encoding.Gfx900, encoding.Gfx908, encoding.Gfx90a, encoding.Gfx942, encoding.Gfx950} {
		for _, s := range subjects(chip) {
			if (!done[s.row] || chip == encoding.Gfx950 && otherNumbers(s.row.Name)) && s.row.Do != nil {
				done[s.row] = true
				f(chip, s.row)
			}
		}
	}
}

// otherNumbers tells rows that convert formats which gfx950 has others of, under their names.
func otherNumbers(name string) bool {
	return (strings.Contains(name, "fp8") || strings.Contains(name, "bf8")) && strings.HasPrefix(name, "v_cvt_") && !strings.Contains(name, "scale")
}

// TestEveryVectorInstructionInEveryFormAgreesWithReference runs random
// encodings of each row, all forms in turn, on random operands, and compares
// all registers with what the second implementation says of each lane.
func TestEveryVectorInstructionInEveryFormAgreesWithReference(t *testing.T) {
	t.Parallel()
	all := semantics()
	forms := map[string]int{}
	eachRow(func(chip encoding.Chip, row *encoding.Row) {
		f, ok := all[row.Name]
		if !ok {
			return
		}
		var of []subject
		for _, s := range subjects(chip) {
			if s.row == row && vectorALU(s.enc) {
				of = append(of, s)
			}
		}
		r := rand.New(rand.NewSource(int64(row.Op)<<8 + int64(len(row.Name))))
		values := randv2.New(randv2.NewPCG(uint64(row.Op), uint64(len(row.Name))))
		waves := lanesEach() / 64
		if strings.Contains(row.Name, "pk32_") || strings.Contains(row.Name, "2xpk16_") {
			waves = waves/16 + 1 // with 32 numbers in each lane
		}
		for n, tried := 0, 0; n < waves; tried++ {
			require.Less(t, tried, 400*waves+1000, "%s: %d encodings execute", row.Name, n)
			s := of[tried%len(of)]
			p := propose(r, chip, s)
			i, err := Decode(p.bytes(), 0, chip)
			if err != nil || i.Row != row || i.Suffix != s.suffix || !nearRegisters(&i) || !Executable(&i) {
				continue
			}
			n++
			forms[fmt.Sprint(i.Enc, i.Suffix)]++
			if !compareVector(t, values, &i, f) {
				return
			}
		}
	})
	for _, form := range []string{"VOP1 0", "VOP1 1", "VOP1 2", "VOP2 0", "VOP2 1", "VOP2 2", "VOPC 0", "VOPC 1", "VOP3 0", "VOP3P 0"} {
		require.NotZero(t, forms[form], "%s: %v", form, forms)
	}
}

// nearRegisters moves vector registers to the first 28, so that little state
// has to be compared. It refuses what reads registers that a test does not set up.
func nearRegisters(i *encoding.Inst) bool {
	near := func(o *encoding.Operand) bool {
		if o.Kind == encoding.VReg || o.Kind == encoding.AReg {
			o.Reg %= 28
			if i.Row.Form.Has(encoding.HasOpSel) || o.Width < 2 {
				return true
			}
			o.Reg &^= 1
		}
		return o.Kind != encoding.SReg || o.Reg+uint16(max(o.Width, 1)) <= 128
	}
	ok := near(&i.Dst) && near(&i.SDst)
	for n := range i.Src {
		if i.Src[n].Kind == encoding.Special && i.Row.Form.Src[n].Type == encoding.PackedFloat32 {
			return false
		}
		ok = near(&i.Src[n]) && ok
	}
	return ok
}

// letterOf is the letter of random values of a type.
func letterOf(t encoding.Type) byte {
	switch t {
	case encoding.Float32:
		return 'f'
	case encoding.Float64:
		return 'F'
	case encoding.Bits64:
		return 'I'
	}
	return 'i'
}

// ordinaryValue is a random number that is not far from 1: waves of nothing else are where whole
// waves go a short way.
func ordinaryValue(r *randv2.Rand, letter byte) uint64 {
	switch letter {
	case 'f':
		return uint64(r.Uint32()&0x807fffff | (0x3f800000 + uint32(r.IntN(16)-8)<<23))
	case 'F':
		return r.Uint64()&(1<<63|1<<52-1) | uint64(1023+r.IntN(16)-8)<<52
	case 'h':
		return uint64(r.Uint32()&0x83ff | (0x3c00 + uint32(r.IntN(8)-4)<<10))
	}
	return samples.Value(r, letter)
}

// fillSource gives an operand's register random values of its type.
func fillSource(r *randv2.Rand, w *wave.Wave, o *encoding.Operand, t encoding.Type, value func(*randv2.Rand, byte) uint64) {
	pick := func() uint64 {
		switch {
		case t == encoding.PackedFloat32:
			return value(r, 'f') | value(r, 'f')<<32
		case is16(t), t == encoding.PackedFloat16, t == encoding.PackedBits16, t == encoding.PackedBFloat16:
			return value(r, 'h') | value(r, 'h')<<16
		}
		return value(r, letterOf(t))
	}
	file := w.V
	switch o.Kind {
	case encoding.AReg:
		file = w.A
		fallthrough
	case encoding.VReg:
		for l := range file[o.Reg] {
			v := pick()
			file[o.Reg][l] = uint32(v)
			if o.Width == 2 {
				file[o.Reg+1][l] = uint32(v >> 32)
			}
		}
	case encoding.SReg:
		if o.Reg < wave.ExecLo-1 {
			v := pick()
			w.S[o.Reg] = uint32(v)
			if o.Width == 2 {
				w.S[o.Reg+1] = uint32(v >> 32)
			}
		}
	}
}

func randomState(r *randv2.Rand) *wave.Wave {
	w := randomWave(r)
	for n := 102; n < wave.ExecLo; n++ {
		w.S[n] = r.Uint32()
	}
	w.A = make([]alu.Lanes, 32)
	for n := range w.A {
		for l := range w.A[n] {
			w.A[n][l] = r.Uint32()
		}
	}
	w.SCC, w.SharedBase, w.PrivateBase = r.Uint32N(2), 1<<48, 2<<48
	w.SetExec([...]uint64{alu.Full, alu.Full, alu.Full, r.Uint64(), 0xaaaaaaaaaaaaaaaa, r.Uint64() & r.Uint64(), 1 << r.Uint32N(64), 0}[r.IntN(8)])
	return w
}

func compareVector(t *testing.T, r *randv2.Rand, i *encoding.Inst, f semantic) bool {
	t.Helper()
	w := randomState(r)
	if i.Wave32 {
		w.SetSize(true)
		w.SetExec(w.Exec() & math.MaxUint32)
	}
	if i.Dst.Width > 2 || i.Src[0].Width > 2 {
		w.V = append(w.V, randomWave(r).V...)
	}
	value := samples.Value
	if r.IntN(4) == 0 {
		value = ordinaryValue
	}
	for n := range i.Src {
		fillSource(r, w, &i.Src[n], i.Row.Form.Src[n].Type, value)
	}
	fillSource(r, w, &i.Dst, i.Row.Form.Dst.Type, value)
	before := *w
	before.V, before.A = append([]alu.Lanes(nil), w.V...), append([]alu.Lanes(nil), w.A...)
	want := before
	want.V, want.A = append([]alu.Lanes(nil), w.V...), append([]alu.Lanes(nil), w.A...)
	unsure := refExecute(&before, &want, i, f)
	if i.Wave32 && i.Dst.Kind == encoding.SReg {
		want.S[wave.ExecHi] = 0
	}
	Bind(i, r.IntN(4) == 0)(w) // with and without modes is the same under the usual one
	if w.Status != wave.Running {
		t.Errorf("%s: %+v", i, w.Fault)
		return false
	}
	return sameState(t, i, &before, &want, w, unsure)
}

// refExecute runs i on every lane of w, into want. It returns the lanes whose
// results are NaNs or approximate, and of which only a part is kept: any will do.
func refExecute(w, want *wave.Wave, i *encoding.Inst, f semantic) (unsure uint64) {
	if whole, ok := wholeWave[i.Row.Kin()]; ok {
		whole(w, want, i)
		return 0
	}
	if i.Chip.RDNA() && crossLane(w, want, i) {
		return 0
	}
	form := i.Row.Form
	reads := i.Src[2]
	if form.Src[2].Class != encoding.CarryIn || reads.Kind == encoding.NoOperand {
		reads = encoding.Operand{Kind: encoding.SReg, Reg: wave.VccLo, Width: 2}
	}
	var mask uint64
	for lane := range w.Lanes() {
		if w.Exec()>>lane&1 == 0 {
			continue
		}
		x := refLane{lane: lane, clamp: i.Clamp, inst: i}
		writes := true
		for n, to := range []*uint64{&x.a, &x.b, &x.c} {
			if i.Src[n].Kind == encoding.NoOperand || form.Src[n].Class == encoding.CarryIn {
				continue
			}
			v, valid := refSource(w, i, n, lane)
			*to, writes = v, writes && valid
		}
		x.in = refRead(w, &reads, encoding.Bits64, lane, false)>>lane&1 != 0
		if i.Suffix == encoding.DPP && (i.RowMask>>(lane/16)&1 == 0 || i.BankMask>>(lane/4%4)&1 == 0) {
			writes = false
		}
		if !writes {
			continue
		}
		if i.Dst.Kind == encoding.VReg || i.Dst.Kind == encoding.AReg {
			x.old = refRead(w, &i.Dst, form.Dst.Type, lane, false)
		}
		v, out := f(x)
		if i.Clamp {
			v = refLimit(v, form.Dst.Type)
		}
		mask |= bit64(out) << lane
		if i.Suffix == encoding.SDWA && i.DstSel != alu.SelDword && (approximate[i.Row.Kin()] || samples.IsNaN(map[encoding.Type]byte{encoding.Float16: 'h', encoding.Float32: 'f'}[form.Dst.Type], v)) {
			unsure |= 1 << lane
		}
		file := want.V
		switch i.Dst.Kind {
		case encoding.AReg:
			file = want.A
			fallthrough
		case encoding.VReg:
			v = refMerge(i, x.old, v)
			file[i.Dst.Reg][lane] = uint32(v)
			if is64(form.Dst.Type) {
				file[i.Dst.Reg+1][lane] = uint32(v >> 32)
			}
		}
	}
	switch to := int(i.SDst.Reg); {
	case form.SDst.Class == encoding.NoSlot:
	case i.SDst.Kind != encoding.SReg:
		want.SetS64(wave.VccLo, mask)
	case i.Wave32:
		want.S[to] = uint32(mask)
	default:
		want.SetS64(to, mask)
	}
	if strings.HasPrefix(i.Row.Name, "v_cmpx_") {
		want.SetExec(mask)
	}
	return unsure
}
