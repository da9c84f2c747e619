package rows

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// TestRunsGoRoundAsTheirStepsDo executes loops that are one run. Lanes leave some of them at different times, and
// memory instructions leave the run where not all lanes are active.
func TestRunsGoRoundAsTheirStepsDo(t *testing.T) {
	needRuns(t)
	const cbranchSCC0, cbranchSCC1, cbranchExecZero, cbranchExecNonzero, branch = 0xbf840000, 0xbf850000, 0xbf880000, 0xbf890000, 0xbf820000
	back := func(kind uint32, words int) []uint32 { return []uint32{kind | uint32(-words)&0xffff} }
	count := [][]uint32{short(t, "s_sub_u32", s(4), s(4), 129), short(t, "s_cmp_lg_u32", 0, s(4), 128)}
	for name, loop := range map[string][][]uint32{
		"a counter":          append([][]uint32{short(t, "v_add_u32", v(20), v(4), v(20))}, append(count, back(cbranchSCC1, 4))...),
		"a counter, and LDS": append([][]uint32{short(t, "v_add_u32", v(20), v(1), v(20)), {0xd81a0000, 0x00001401}}, append(count, back(cbranchSCC1, 6))...),
		"lanes one by one":   {short(t, "v_cmp_lt_u32", wave.VccLo, 128, v(5)), short(t, "s_and_saveexec_b64", s(8), s(wave.VccLo)), short(t, "v_sub_u32", v(5), v(5), v(6)), short(t, "v_add_u32", v(20), v(4), v(20)), {0xd81a0000, 0x00001401}, back(cbranchExecNonzero, 7)},
		"lanes by v_cmpx":    {short(t, "v_cmpx_lt_u32", wave.VccLo, 128, v(5)), short(t, "v_sub_u32", v(5), v(5), v(6)), short(t, "v_add_u32", v(20), v(4), v(20)), back(cbranchExecNonzero, 4)},
		"left in the middle": {short(t, "v_cmpx_lt_u32", wave.VccLo, 128, v(5)), {0xbf880005}, short(t, "v_sub_u32", v(5), v(5), v(6)), short(t, "v_add_u32", v(20), v(4), v(20)), back(branch, 5)},
		"EXEC whole again":   {short(t, "v_cmpx_lt_u32", wave.VccLo, 131, v(5)), short(t, "v_add_u32", v(20), v(4), v(20)), short(t, "s_mov_b64", wave.ExecLo, 193), short(t, "v_add_u32", v(21), v(4), v(21)), short(t, "s_sub_u32", s(4), s(4), 129), short(t, "s_cmp_lg_u32", 0, s(4), 128), back(cbranchSCC1, 7)},
		"a part is left out": {short(t, "s_cmp_lt_u32", 0, s(4), 132), {cbranchSCC0 | 1}, short(t, "v_add_u32", v(20), v(4), v(20)), short(t, "s_sub_u32", s(4), s(4), 129), short(t, "s_cmp_lg_u32", 0, s(4), 128), back(cbranchSCC1, 6)},
		"a branch goes to what would be half of an op": {short(t, "s_cmp_lt_u32", 0, s(4), 132), {cbranchSCC0 | 2}, {0xd1cb0014, 0x04520f04}, {0xd1cb0014, 0x04521308}, short(t, "s_sub_u32", s(4), s(4), 129), short(t, "s_cmp_lg_u32", 0, s(4), 128), back(cbranchSCC1, 9)},
		"two branches to one place":                    {short(t, "s_cmp_lt_u32", 0, s(4), 132), {cbranchSCC0 | 4}, short(t, "v_add_u32", v(20), v(4), v(20)), short(t, "s_cmp_lt_u32", 0, s(4), 130), {cbranchSCC1 | 1}, short(t, "v_add_u32", v(21), v(20), v(21)), short(t, "s_sub_u32", s(4), s(4), 129), short(t, "s_cmp_lg_u32", 0, s(4), 128), back(cbranchSCC1, 9)},
		"some lanes do a part":                         {short(t, "v_cmp_lt_u32", wave.VccLo, s(4), v(5)), short(t, "s_and_saveexec_b64", s(8), s(wave.VccLo)), {cbranchExecZero | 3}, short(t, "v_add_u32", v(20), v(4), v(20)), {0xd81a0000, 0x00001401}, short(t, "s_or_b64", wave.ExecLo, wave.ExecLo, s(8)), short(t, "v_add_u32", v(21), v(4), v(21)), short(t, "s_sub_u32", s(4), s(4), 129), short(t, "s_cmp_lg_u32", 0, s(4), 128), back(cbranchSCC1, 11)},
		"EXEC is never whole":                          {short(t, "s_mov_b64", wave.ExecLo, 128), short(t, "v_add_u32", v(20), v(4), v(20)), short(t, "s_sub_u32", s(4), s(4), 129), short(t, "s_cmp_lg_u32", 0, s(4), 128), back(cbranchSCC1, 5)},
	} {
		const start = 100
		run, at := bind.Run{Start: start}, uint32(start)
		var steps []encoding.Step
		var next []uint32
		for _, words := range loop {
			step, part := BindPart(instOf(t, encoding.Gfx906, words))
			require.NotNil(t, part, "%s: %#x", name, words)
			at += uint32(len(words))
			run.Add(part, at)
			steps, next = append(steps, step), append(next, at)
		}
		whole, r := run.Step(), rand.New(rand.NewPCG(3, 3))
		for _, rounds := range []uint32{1, 2, 7, 100, 5000} {
			w := randomWave(r)
			w.S[4] = rounds
			for l := range w.V[5] {
				w.V[1][l], w.V[5][l], w.V[6][l] = uint32(4*l), 1+r.Uint32N(rounds), 1
			}
			if rounds == 7 {
				w.SetExec(r.Uint64())
			}
			var waves [2]wave.Wave
			var executed [2]int
			for k := range waves {
				c := &waves[k]
				*c = *w
				c.V, c.LDS, c.PC = append([]alu.Lanes(nil), w.V...), make([]byte, 256), start
			}
			for a := &waves[0]; a.PC == start; {
				for n := 0; n < len(steps); {
					a.PC = next[n]
					steps[n](a)
					executed[0]++
					if a.PC == next[n] {
						n++
					} else if n = 1 + slices.Index(next, a.PC); n == 0 {
						break
					}
				}
			}
			for b := &waves[1]; b.PC == start; {
				b.PC = run.End()
				whole(b)
				require.LessOrEqual(t, b.Repeated, 1024, "%s: others wait", name)
				executed[1] += run.Len() + b.Repeated
				b.Repeated = 0
			}
			a, b := &waves[0], &waves[1]
			require.Equal(t, executed[0], executed[1], "%s: instructions of %d rounds", name, rounds)
			require.Equal(t, a.PC, b.PC, name)
			require.Equal(t, a.S, b.S, "%s: scalar registers after %d rounds", name, rounds)
			require.Equal(t, a.SCC, b.SCC, name)
			require.Equal(t, a.V, b.V, "%s: vector registers after %d rounds", name, rounds)
			require.Equal(t, a.LDS, b.LDS, "%s: LDS after %d rounds", name, rounds)
		}
	}
}
