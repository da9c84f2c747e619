package rows

import (
	"encoding/binary"
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
// called as a later GFX9 what is emitted for that one and not for gfx906, as gfx1151 what is not for gfx1100, and as
// another chip all that is emitted for it.
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
// as another GFX9 has them, gfx942's as far as gfx950 has them, gfx1100's for gfx1151, and its own.
func listed(t testing.TB, chip encoding.Chip) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	for _, s := range subjects(chip) {
		known[s.row.Name] = true
	}
	names := map[string]bool{}
	for _, e := range readEmitted(t) {
		own := e.stage == chip.String()
		if own && e.form == "VOPD" && !chip.IsWave32() {
			continue // waves of 64 have no pairs
		}
		if own {
			require.True(t, known[e.name], "%v does not know %s", chip, e.name)
		}
		before := !chip.RDNA() && len(e.stage) == 1 || chip == encoding.Gfx950 && e.stage == encoding.Gfx942.String() ||
			chip.Wave32() == encoding.Gfx1151.Wave32() && e.stage == encoding.Gfx1100.String()
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
			if s.enc == encoding.SOPP { // -1 is the workgroup's barrier
				note(binary.LittleEndian.AppendUint32(nil, 0xbf80ffff|uint32(s.number)<<16))
			}
		}
	}
	return rows
}
