package rows

import (
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// vectorEncodings are those of instructions that EXEC concerns.
var vectorEncodings = map[encoding.Encoding]bool{encoding.VOP1: true, encoding.VOP2: true, encoding.VOPC: true, encoding.VOP3: true, encoding.VOP3P: true, encoding.DS: true, encoding.FLAT: true, encoding.MUBUF: true, encoding.MTBUF: true}

// aboveExec tells which instructions work on lanes that are not active, or on waves.
func aboveExec(i *encoding.Inst) bool {
	return i.Row.Name == "v_writelane_b32" || strings.HasPrefix(i.Row.Name, "ds_gws") || strings.Contains(i.Row.Name, "mfma") || strings.Contains(i.Row.Name, "smfmac")
}

// scalarResults are the scalar registers that the instruction may write.
func scalarResults(i *encoding.Inst) map[int]bool {
	may := map[int]bool{}
	for _, o := range []*encoding.Operand{&i.Dst, &i.SDst} {
		if o.Kind == encoding.SReg {
			for n := range max(int(o.Width), 1) {
				may[int(o.Reg)+n] = true
			}
		}
	}
	if i.Enc == encoding.VOPC || strings.HasPrefix(i.Row.Name, "v_cmpx") {
		may[wave.ExecLo], may[wave.ExecHi] = true, true
	}
	if i.Enc == encoding.VOPC && i.Suffix == encoding.Plain || i.Enc == encoding.VOP2 || i.Suffix != encoding.Plain {
		may[wave.VccLo], may[wave.VccHi] = true, true
	}
	return may
}

// TestInactiveLanesAreLeftAlone runs every vector instruction in random forms
// with no active lane, and with some. Without memory at addresses, only
// those with none active must do well.
func TestInactiveLanesAreLeftAlone(t *testing.T) {
	r := rand.New(rand.NewSource(77))
	w := newWave()
	w.V, w.A, w.LDS = make([]alu.Lanes, 256+32), make([]alu.Lanes, 256+32), make([]byte, 64)
	w.Mem = &samples.Memory{}
	for _, file := range [][]alu.Lanes{w.V, w.A} {
		for n := range file {
			for l := range file[n] {
				file[n][l] = r.Uint32()
			}
		}
	}
	before := [2][]alu.Lanes{slices.Clone(w.V), slices.Clone(w.A)}
	tries := 1
	if os.Getenv("MGPU_TEST_LONG") == "1" {
		tries = 60
	}
	for _, chip := range []encoding.Chip{encoding.Gfx900, encoding.Gfx906, encoding.Gfx908, encoding.Gfx90a, encoding.Gfx942, encoding.Gfx950} {
		ran := map[*encoding.Row]bool{}
		for _, s := range subjects(chip) {
			if s.row.Do == nil || !vectorEncodings[s.enc] {
				continue
			}
			for try := range tries * 2 {
				p := propose(r, chip, s)
				i, err := Decode(p.bytes(), 0, chip)
				if err != nil || !Executable(&i) || aboveExec(&i) {
					continue
				}
				exec := uint64(0)
				if try%2 == 1 {
					exec = r.Uint64() & r.Uint64()
				}
				leavesAlone(t, r, w, before, &i, exec)
				ran[i.Row] = true
			}
		}
		require.Greater(t, len(ran), 500, chip)
	}
}

// leavesAlone runs i. The vector registers are those of before, and are so again after it.
func leavesAlone(t *testing.T, r *rand.Rand, w *wave.Wave, before [2][]alu.Lanes, i *encoding.Inst, exec uint64) {
	t.Helper()
	for n := range wave.NamedScalars {
		w.S[n] = r.Uint32()
	}
	w.SetExec(exec)
	w.Mode, w.Status, w.Fault = defaultMode, wave.Running, nil
	w.ForgetWindows()
	scalars := w.S
	i.Row.Do(i)(w)
	if exec == 0 {
		require.Equal(t, wave.Running, w.Status, "%s without an active lane: %v", i, w.Fault)
	}
	for f, file := range [2][]alu.Lanes{w.V, w.A} {
		for n := range file {
			if file[n] == before[f][n] {
				continue
			}
			for l := range file[n] {
				if exec>>l&1 == 0 && file[n][l] != before[f][n][l] {
					require.Failf(t, "written", "%s writes lane %d of register %d of file %d with EXEC %#x", i, l, n, f, exec)
				}
			}
			before[f][n] = file[n]
		}
	}
	if w.Status == wave.Faulted {
		return
	}
	may := scalarResults(i)
	for n := range wave.NamedScalars {
		if w.S[n] == scalars[n] {
			continue
		}
		require.True(t, may[n], "%s writes scalar register %d", i, n)
		if i.Enc == encoding.VOPC || i.SDst.Kind == encoding.SReg {
			half := uint32(exec >> (32 * uint(n&1)))
			require.Zero(t, w.S[n]&^half, "%s sets bits of lanes that are not active, EXEC %#x", i, exec)
		}
	}
}

// Lanes are read and written by number, active or not; the first active one of none is lane 0.
func TestLanesByNumberWithoutActiveLanes(t *testing.T) {
	w := newWave()
	w.SetExec(0)
	for l := range 64 {
		w.V[4][l] = uint32(100 + l)
	}
	stepOf(t, short(t, "v_readfirstlane_b32", s(3), v(4)))(w)
	require.Equal(t, uint32(100), w.S[3])
	w.S[5] = 64 + 17
	stepOf(t, long(t, "v_readlane_b32", s(3), v(4), s(5)))(w)
	require.Equal(t, uint32(117), w.S[3], "lanes are numbered modulo 64")
	w.S[6] = 5
	stepOf(t, long(t, "v_writelane_b32", v(4), s(6), s(5)))(w)
	require.Equal(t, uint32(5), w.V[4][17])
	require.Equal(t, uint32(118), w.V[4][18])
	w.SetExec(1 << 40)
	stepOf(t, short(t, "v_readfirstlane_b32", s(3), v(4)))(w)
	require.Equal(t, uint32(140), w.S[3])
}

// v_cmpx writes its mask and EXEC; lanes that were not active have no say.
func TestCompareAndSetExec(t *testing.T) {
	w := newWave()
	w.SetExec(0xff00ff00ff00ff00)
	for l := range 64 {
		w.V[4][l] = uint32(l)
	}
	stepOf(t, short(t, "v_cmpx_lt_u32", 0, v(4), v(4)))(w)
	require.Zero(t, w.Exec())
	require.Zero(t, w.Vcc())
	w.SetExec(0xff00ff00ff00ff00)
	stepOf(t, long(t, "v_cmpx_ge_u32", s(20), 129+31, v(4)))(w) // 32 >= lane
	require.Equal(t, uint64(0x00000000ff00ff00), w.Exec())
	require.Equal(t, w.Exec(), w.S64(20))
	stepOf(t, long(t, "v_cmpx_tru_f32", s(20), v(4), v(4)))(w)
	require.Equal(t, uint64(0x00000000ff00ff00), w.S64(20), "true for active lanes only")
}
