package gcn

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExecutableInstructionsNeverPanic runs instructions with random fields on a
// wave without memory, with all registers that fields can name.
func TestExecutableInstructionsNeverPanic(t *testing.T) {
	r := rand.New(rand.NewSource(58))
	w := newWave()
	w.V, w.A, w.LDS = make([]Lanes, 256+32), make([]Lanes, 256+32), make([]byte, 64)
	tries := 12
	if testing.Short() {
		tries = 2
	}
	for chip := range numChips {
		ran := map[string]bool{}
		for _, s := range subjects(chip) {
			for try := 0; try < tries && s.row.Do != nil; try++ {
				p := propose(r, chip, s)
				i, err := Decode(p.bytes(), 0, chip)
				if err != nil || !Executable(&i) {
					continue
				}
				for n := range w.S {
					w.S[n] = r.Uint32()
				}
				w.SetExec(r.Uint64() | r.Uint64())
				w.Mode, w.Status, w.Fault = defaultMode, Running, nil
				require.NotPanics(t, func() { i.Row.Do(&i)(w) }, "%v: %v", chip, &i)
				ran[i.Row.Name] = true
			}
		}
		require.Greater(t, len(ran), 600, chip)
	}
}
