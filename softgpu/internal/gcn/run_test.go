package gcn

import (
	"math/rand/v2"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// partsOf are the instructions of the golden files that run as parts.
func partsOf(t *testing.T, chip Chip) (texts []string, all []*Part) {
	for _, g := range readGolden(t, chip) {
		i, err := Decode(g.code, 0, chip)
		require.NoError(t, err)
		if i.Row.Do == nil {
			continue
		}
		step, part := BindPart(&i)
		if part != nil {
			require.NotNil(t, step)
			texts, all = append(texts, g.text), append(all, part)
		}
	}
	return texts, all
}

// twins are two waves with the same registers as w, which get other awkward values each time.
func twins(r *rand.Rand, w *Wave) (a, b *Wave) {
	for n := range w.V {
		w.V[n][r.IntN(64)] = awkward[r.IntN(len(awkward))]
	}
	w.S[r.IntN(102)] = awkward[r.IntN(len(awkward))]
	w.SCC = r.Uint32N(2)
	copied := func() *Wave {
		c := new(Wave)
		*c = *w
		c.V = append([]alu.Lanes(nil), w.V...)
		return c
	}
	a, b = copied(), copied()
	mode, exec, count := uint32(alu.UsualMode|alu.Denorms32), uint64(alu.Full), len(w.V)
	switch r.IntN(8) {
	case 0:
		exec = r.Uint64()
	case 1:
		mode &^= alu.Denorms32
	case 2:
		count = 1 + r.IntN(count)
	}
	for _, w := range []*Wave{a, b} {
		w.V, w.Mode = w.V[:count], mode
		w.SetExec(exec)
	}
	return a, b
}

var awkward = []uint32{0, 1, 1 << 31, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x00000001, 0x80000001, 0xffffffff, 0x3f800000}

// outcome runs steps up to a register that the wave does not have.
func outcome(w *Wave, steps ...Step) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	for _, s := range steps {
		s(w)
	}
	return false
}

// TestRunsDoWhatTheirStepsDo compares runs, of one instruction each and of many, with their
// instructions one by one: all registers, and where a wave stops.
func TestRunsDoWhatTheirStepsDo(t *testing.T) {
	if !alu.HasRuns {
		t.Skip("this processor has no AVX2: instructions run one by one")
	}
	r := rand.New(rand.NewPCG(1, 1))
	w := randomWave(r)
	for len(w.V) < 256 {
		w.V = append(w.V, w.V...)
	}
	for _, chip := range []Chip{Gfx906, Gfx950} {
		texts, all := partsOf(t, chip)
		require.Greater(t, len(all), 500, "of %s", chip)
		for n := range 2*len(all) + 500 {
			var run Run
			var steps []Step
			var said []string
			for k := range 1 + n/len(all)*r.IntN(20) {
				at := n
				if n >= len(all) {
					at = r.IntN(len(all))
				}
				run.Add(all[at], uint32(k+1))
				steps, said = append(steps, all[at].step), append(said, texts[at])
			}
			a, b := twins(r, w)
			stopped := outcome(a, steps...)
			require.Equal(t, stopped, outcome(b, run.Step()), "%q", said)
			if stopped {
				continue
			}
			if !assert.True(t, a.S == b.S && a.SCC == b.SCC && a.Status == b.Status, "%s: scalar registers of %q", chip, said) {
				return
			}
			for v := range a.V {
				if a.V[v] != b.V[v] {
					require.Equal(t, a.V[v], b.V[v], "%s: v%d of %q", chip, v, said)
				}
			}
		}
	}
}
