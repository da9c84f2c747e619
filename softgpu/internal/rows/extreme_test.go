package rows

import (
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/watch"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// extremes are what all registers hold in turn: out of range for shifts, indices,
// lanes and addresses; zeros; infinities and NaNs of every format.
var extremes = []uint32{0, math.MaxUint32, 1 << 31, math.MaxInt32, 1, 32, 64, 0x7fc00000, 0x7ff80000, 0x7f800001, 0xff800000, 0xfff00000, 0x7e007e00, 0x7c01fc00}

// TestExtremeOperandsEndNoWave runs every row that executes, of each chip: compilers
// compute on paths whose results are not used, of any bits.
func TestExtremeOperandsEndNoWave(t *testing.T) {
	w := newWave()
	w.V, w.A, w.LDS = make([]alu.Lanes, 256+32), make([]alu.Lanes, 256+32), make([]byte, 64)
	r := rand.New(rand.NewSource(60))
	for chip := range encoding.NumGFX9 {
		ran := map[*encoding.Row]bool{}
		for _, s := range subjects(chip) {
			for try := 0; s.row.Do != nil && !ran[s.row] && try < 20_000; try++ {
				i, err := Decode(propose(r, chip, s).bytes(), 0, chip)
				if err != nil || !nearRegisters(&i) || !Executable(&i) {
					continue
				}
				ran[s.row] = true
				for _, v := range extremes {
					endsNothing(t, w, &i, v)
				}
			}
			require.True(t, ran[s.row] || s.row.Do == nil, "%v: no %s executes", chip, s)
		}
	}
}

// TestExtremeOperandsOfGFX1250EndNoWave does the same for what computes, and copies in LDS.
func TestExtremeOperandsOfGFX1250EndNoWave(t *testing.T) {
	chip := encoding.Gfx1250.Wave32()
	w := newWave()
	w.SetSize(true)
	w.V, w.A, w.LDS = make([]alu.Lanes, 256+32), make([]alu.Lanes, 256+32), make([]byte, 64)
	r := rand.New(rand.NewSource(1250))
	encodings := 3
	if testing.Short() {
		encodings = 1
	}
	for _, s := range subjects(chip) {
		if !vectorALU(s.enc) && !scalarALU(s.enc) && s.enc != encoding.VOP3PX && s.enc != encoding.DS {
			continue
		}
		ran := 0
		for try := 0; s.row.Do != nil && ran < encodings && try < 20_000; try++ {
			i, err := Decode(propose(r, chip, s).bytes(), 0, chip)
			if err != nil || !nearRegisters(&i) || !Executable(&i) || Bind(&i, false) == nil {
				continue
			}
			ran++
			for _, v := range extremes {
				endsNothing(t, w, &i, v)
			}
		}
		require.True(t, ran > 0 || s.row.Do == nil, "no %s executes", s)
	}
}

// endsNothing runs i on a wave whose registers all hold v, with no lane, one, and all.
func endsNothing(t *testing.T, w *wave.Wave, i *encoding.Inst, v uint32) {
	t.Helper()
	step := Bind(i, false)
	lanes := []uint64{0, 1 << 63, alu.Full}
	if i.Wave32 {
		lanes = []uint64{0, 1 << 31, math.MaxUint32}
	}
	for _, exec := range lanes {
		for n := range 28 + 32 { // see nearRegisters
			w.V[n].Fill(v)
			w.A[n].Fill(v)
		}
		for n := range w.S[:wave.NamedScalars] {
			w.S[n] = v
		}
		w.SetExec(exec)
		w.Status, w.Fault, w.Mode = wave.Running, nil, defaultMode
		w.StartSync(new(wave.GWS))
		require.NotPanics(t, func() { step(w) }, "%v: %v of %#x", i.Chip, i, v)
		if w.Status == wave.Faulted && !hardwareFaults(i, v, exec != 0) {
			require.Failf(t, "ended", "%v: %v of %#x, lanes %#x: %+v", i.Chip, i, v, exec, w.Fault)
		}
	}
}

// hardwareFaults reports whether the chip, too, ends a wave that has v in all registers
// and no memory but 64 bytes of LDS: at accesses to memory that is not there, at
// atomics of LDS that are not aligned.
func hardwareFaults(i *encoding.Inst, v uint32, active bool) bool {
	name := i.Row.Name
	switch i.Enc {
	case encoding.SMEM:
		return v != 0 || !strings.HasPrefix(name, "s_buffer") // a buffer of no bytes is not accessed
	case encoding.MUBUF, encoding.MTBUF:
		return active && v != 0
	case encoding.FLAT, encoding.MIMG:
		return active
	case encoding.DS:
		if strings.HasPrefix(name, "ds_load_tr") {
			return true // with inactive lanes
		}
		if strings.Contains(name, "xchg_2addr") {
			return active && v%8 != 0
		}
		touch, _ := watch.Touches(i)
		return active && touch.Op == wave.Updates && (v+uint32(i.Imm))%8 != 0
	}
	if strings.Contains(name, "_barrier_") && bind.OfNamed(i) {
		return true // the wave has no barriers with a number
	}
	if name == "s_trap" || name == "s_sethalt" || name == "s_code_end" {
		return true
	}
	return strings.HasPrefix(name, "s_setreg") && i.Imm&63 == wave.HwMode // to a MODE that is not simulated
}
