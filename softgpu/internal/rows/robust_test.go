package rows

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// eachExecution runs instructions with random fields on a wave without memory,
// with all registers that fields can name and random bits in those that are scalar.
func eachExecution(t *testing.T, r *rand.Rand, exec func() uint64, check func(chip encoding.Chip, i *encoding.Inst, w *wave.Wave)) {
	t.Helper()
	w := newWave()
	w.V, w.A, w.LDS = make([]alu.Lanes, 256+32), make([]alu.Lanes, 256+32), make([]byte, 64)
	tries := 12
	if testing.Short() {
		tries = 2
	}
	for chip := range encoding.NumGFX9 {
		ran := map[string]bool{}
		for _, s := range subjects(chip) {
			for try := 0; try < tries && s.row.Do != nil; try++ {
				p := propose(r, chip, s)
				i, err := Decode(p.bytes(), 0, chip)
				if err != nil || !Executable(&i) {
					continue
				}
				for n := range w.S[:wave.NamedScalars] {
					w.S[n] = r.Uint32()
				}
				w.SetExec(exec())
				w.Mode, w.Status, w.Fault = defaultMode, wave.Running, nil
				w.StartSync(new(wave.GWS))
				require.NotPanics(t, func() { i.Row.Do(&i)(w) }, "%v: %v", chip, &i)
				check(chip, &i, w)
				ran[i.Row.Name] = true
			}
		}
		require.Greater(t, len(ran), 600, chip)
	}
}

func TestExecutableInstructionsNeverPanic(t *testing.T) {
	r := rand.New(rand.NewSource(58))
	eachExecution(t, r, func() uint64 { return r.Uint64() | r.Uint64() }, func(encoding.Chip, *encoding.Inst, *wave.Wave) {})
}

// TestOnlyMemoryTrapsAndJumpsEndWaves: compilers compute things ahead of the
// conditions that they are for, of whatever registers hold then, and skip no
// memory instruction that no lane executes.
func TestOnlyMemoryTrapsAndJumpsEndWaves(t *testing.T) {
	r := rand.New(rand.NewSource(59))
	active := uint64(0)
	exec := func() uint64 {
		active = [...]uint64{0, 0, r.Uint64(), 1 << r.Intn(64)}[r.Intn(4)]
		return active
	}
	eachExecution(t, r, exec, func(chip encoding.Chip, i *encoding.Inst, w *wave.Wave) {
		switch i.Enc {
		case encoding.SMEM:
			return
		case encoding.FLAT, encoding.MUBUF, encoding.MTBUF, encoding.MIMG, encoding.DS:
			if active != 0 {
				return
			}
		}
		switch name := i.Row.Name; {
		case name == "s_trap", name == "s_sethalt", name == "s_code_end", strings.Contains(name, "branch"), strings.HasSuffix(name, "pc_b64"), name == "s_call_b64":
			return
		case strings.HasPrefix(name, "s_setreg") && i.Imm&63 == wave.HwMode: // to what is not simulated
			return
		case strings.HasPrefix(name, "s_endpgm"):
			return
		}
		require.NotEqual(t, wave.Faulted, w.Status, "%v: %v with lanes %#x: %+v", chip, i, active, w.Fault)
	})
}

// TestTrapsForDebuggersReturn: there is no debugger.
func TestTrapsForDebuggersReturn(t *testing.T) {
	w := newWave()
	stepOf(t, short(t, "s_trap", 0, 3))(w)
	require.Equal(t, wave.Running, w.Status)
}

func TestWavesThatHaltEnd(t *testing.T) {
	for _, c := range []struct {
		chip encoding.Chip
		word uint32
		want string
	}{
		{encoding.Gfx906, 0xbf8d0001, "halted (s_sethalt)"}, {encoding.Gfx906, 0xbf8d0000, ""},
		{encoding.Gfx1100, 0xbf820005, "halted (s_sethalt)"}, {encoding.Gfx1200, 0xbf820004, ""},
		{encoding.Gfx1030, 0xbf9f0000, "past the end of the code (s_code_end)"}, {encoding.Gfx1200, 0xbf9f0000, "past the end of the code (s_code_end)"},
	} {
		w := newWave()
		Bind(instOf(t, c.chip, []uint32{c.word}), false)(w)
		if require.Equal(t, c.want != "", w.Status == wave.Faulted, "%v %#x", c.chip, c.word); c.want != "" {
			require.Equal(t, c.want, w.Fault.Reason)
		}
	}
}
