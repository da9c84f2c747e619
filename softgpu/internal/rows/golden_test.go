package rows

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "update testdata/*.txt from the output of "+llvmmc)

// goldenChips have a golden file.
var goldenChips = []encoding.Chip{encoding.Gfx900, encoding.Gfx906, encoding.Gfx908, encoding.Gfx90a, encoding.Gfx942, encoding.Gfx950, encoding.Gfx1030.Wave32(), encoding.Gfx1030, encoding.Gfx1100.Wave32(), encoding.Gfx1100, encoding.Gfx1151.Wave32(), encoding.Gfx1200.Wave32(), encoding.Gfx1200, encoding.Gfx1250.Wave32()}

// golden is a line of a golden file: an instruction's bytes and LLVM's text.
type golden struct {
	code []byte
	text string
}

// chipName tells the size of waves as well.
func chipName(chip encoding.Chip) string {
	return strings.TrimSuffix(filepath.Base(goldenPath(chip)), ".txt")
}

func goldenPath(chip encoding.Chip) string {
	name := chip.String()
	if chip.RDNA() && !chip.IsWave32() {
		name += "-wave64"
	}
	return filepath.Join("testdata", name+".txt")
}

func readGolden(t testing.TB, chip encoding.Chip) []golden {
	t.Helper()
	data, err := os.ReadFile(goldenPath(chip))
	require.NoError(t, err)
	var all []golden
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		digits, text, ok := strings.Cut(s.Text(), "\t")
		require.True(t, ok, "line %q has no tab", s.Text())
		code, err := hex.DecodeString(digits)
		require.NoError(t, err)
		all = append(all, golden{code, text})
	}
	return all
}

// TestGoldenText decodes the golden files, as they are and inside a longer text.
func TestGoldenText(t *testing.T) {
	for _, chip := range goldenChips {
		t.Run(chipName(chip), func(t *testing.T) {
			if *update {
				writeGolden(t, chip)
			}
			all := readGolden(t, chip)
			require.GreaterOrEqual(t, len(all), 5000)
			for _, g := range all {
				i, err := Decode(g.code, 0, chip)
				if !assert.NoError(t, err, "%x %s", g.code, g.text) {
					continue
				}
				assert.Equal(t, g.text, i.String(), "%x", g.code)
				assert.Equal(t, len(g.code), int(i.Size), "%x %s", g.code, g.text)

				within := append(append([]byte{1, 2, 3, 4}, g.code...), 5, 6, 7, 8)
				moved, err := Decode(within, 4, chip)
				require.NoError(t, err)
				assert.Equal(t, uint32(4), moved.Offset)
				moved.Offset = 0
				assert.Equal(t, i, moved, "%x depends on its neighbours", g.code)
			}
		})
	}
}

// TestGoldenCoversEveryForm finds each row, in each of its forms, in the golden files.
func TestGoldenCoversEveryForm(t *testing.T) {
	for _, chip := range goldenChips {
		t.Run(chipName(chip), func(t *testing.T) {
			type form struct {
				row    *encoding.Row
				enc    encoding.Encoding
				suffix encoding.Suffix
			}
			seen := map[form]bool{}
			for _, g := range readGolden(t, chip) {
				i, err := Decode(g.code, 0, chip)
				require.NoError(t, err)
				seen[form{i.Row, i.Enc, i.Suffix}] = true
			}
			for _, s := range subjects(chip) {
				assert.True(t, seen[form{s.row, s.enc, s.suffix}], "no line has %v", s)
			}
		})
	}
}

// TestChipsKnowOtherInstructions checks the rows by which the chips differ.
func TestChipsKnowOtherInstructions(t *testing.T) {
	names := func(chip encoding.Chip) map[string]bool {
		m := map[string]bool{}
		for _, s := range subjects(chip) {
			m[s.row.Name] = true
		}
		return m
	}
	old, young := names(encoding.Gfx900), names(encoding.Gfx906)
	for name := range young {
		if !old[name] {
			assert.Regexp(t, `^v_(dot\d|fma_mix|fmac_f32|xnor_b32)`, name)
		}
	}
	for name := range old {
		if !young[name] {
			assert.Regexp(t, `^v_mad_mix`, name)
		}
	}
	assert.True(t, young["v_dot4_i32_i8"] && !old["v_dot4_i32_i8"] && old["v_mad_mix_f32"] && !young["v_mad_mix_f32"])
	assert.Greater(t, len(young), 1100)
}

// perForm is how many lines of the golden file each form of a row gets.
const perForm = 5

// writeGolden asks LLVM about random words until each form of each row has its
// lines. Only LLVM decides what is written.
func writeGolden(t *testing.T, chip encoding.Chip) {
	t.Helper()
	_, err := exec.LookPath(llvmmc)
	require.NoError(t, err, "golden files come from it")
	r := rand.New(rand.NewSource(906))
	want := subjects(chip)
	lines := make([][]string, len(want))
	for round := 0; round < 500; round++ {
		var pairs []pair
		var of []int
		for n := range want {
			for k := len(lines[n]); k < perForm; k++ {
				if p := propose(r, chip, want[n]); (chip.RDNA() || !dangerous(p)) && p.selects(chip, want[n]) {
					pairs, of = append(pairs, p), append(of, n)
				}
			}
		}
		if len(pairs) == 0 {
			continue
		}
		for k, v := range askLLVM(t, chip, pairs) {
			if v.size == 0 || v.size == 4 && want[of[k]].suffix != encoding.Plain || beyondChip(chip, v.text) && !decodesTo(chip, pairs[k], v.text) || chip.RDNA() && otherConstant(v.text) || chip.OnlyWave32() && lengthened(pairs[k], v) {
				continue
			}
			lines[of[k]] = append(lines[of[k]], fmt.Sprintf("%x\t%s\n", pairs[k].bytes()[:v.size], v.text))
		}
	}
	var out strings.Builder
	for n := range want {
		require.NotEmpty(t, lines[n], "LLVM knows no %v", want[n])
		for _, l := range lines[n] {
			out.WriteString(l)
		}
	}
	require.NoError(t, os.MkdirAll("testdata", 0o755))
	require.NoError(t, os.WriteFile(goldenPath(chip), []byte(out.String()), 0o644))
}

// decodesTo reports whether p is an instruction with that text here.
func decodesTo(chip encoding.Chip, p pair, text string) bool {
	i, err := Decode(p.bytes(), 0, chip)
	return err == nil && i.String() == text
}

// selects reports whether p's first word is of the subject's form: SDWA and DPP are marked in a source.
func (p pair) selects(chip encoding.Chip, s subject) bool {
	if chip.RDNA() {
		return decodesAs(chip, p, s)
	}
	if s.enc != encoding.VOP1 && s.enc != encoding.VOP2 && s.enc != encoding.VOPC {
		return true
	}
	marker := p.lo & 0x1ff
	switch s.suffix {
	case encoding.SDWA:
		return marker == encoding.SrcSDWA
	case encoding.DPP:
		return marker == encoding.SrcDPP
	}
	return marker != encoding.SrcSDWA && marker != encoding.SrcDPP
}
