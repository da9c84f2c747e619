package rows

import (
	"math/rand"
	"os"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/stretchr/testify/require"
)

// emitted is one form of an instruction that compilers emit.
type emitted struct{ stage, form, name string }

// readEmitted reads what compilers emit: stages A, B and C for gfx906, stages
// called as a chip what is emitted for that one and not for gfx906.
func readEmitted(t testing.TB) []emitted {
	t.Helper()
	text, err := os.ReadFile("testdata/emitted.txt")
	require.NoError(t, err)
	var all []emitted
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		require.Len(t, f, 3)
		all = append(all, emitted{f[0], f[1], f[2]})
	}
	return all
}

// listed returns the mnemonics that compilers emit for a chip: gfx906's as far
// as the chip has them, gfx942's as far as gfx950 has them, and its own.
func listed(t testing.TB, chip encoding.Chip) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	for _, s := range subjects(chip) {
		known[s.row.Name] = true
	}
	names := map[string]bool{}
	for _, e := range readEmitted(t) {
		own := e.stage == chip.String()
		if own {
			require.True(t, known[e.name], "%v does not know %s", chip, e.name)
		}
		before := len(e.stage) == 1 || chip == encoding.Gfx950 && e.stage == encoding.Gfx942.String()
		if own || before && known[e.name] {
			names[e.name] = true
		}
	}
	return names
}

// executing returns the rows of a chip of which some instruction executes:
// one of the golden file, or one of a number of random ones.
func executing(t testing.TB, chip encoding.Chip) map[*encoding.Row]bool {
	t.Helper()
	rows := map[*encoding.Row]bool{}
	note := func(code []byte) {
		i, err := Decode(code, 0, chip)
		if err != nil || rows[i.Row] {
			return
		}
		plain := i
		plain.CBSZ, plain.ABID, plain.BLGP = 0, 0, 0
		if Executable(&i) || Executable(&plain) {
			rows[i.Row] = true
		}
	}
	for _, g := range readGolden(t, chip) {
		note(g.code)
	}
	r := rand.New(rand.NewSource(1))
	for _, s := range subjects(chip) {
		for try := 0; try < 100 && s.row.Do != nil && !rows[s.row]; try++ {
			note(propose(r, chip, s).bytes())
		}
	}
	return rows
}
