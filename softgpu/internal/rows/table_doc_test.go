package rows

import (
	"fmt"
	"os"
	"strings"
	"testing"

	files "github.com/mgpu-runtime/mgpu/internal/golden"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/stretchr/testify/require"
)

// The table in the documentation stands between these lines.
const (
	tableFile  = "../../../docs/instructions.md"
	tableBegin = "<!-- written by make golden: begin -->\n"
	tableEnd   = "<!-- end -->\n"
)

// TestGoldenInstructionTable compares the documentation with the rows.
func TestGoldenInstructionTable(t *testing.T) {
	data, err := os.ReadFile(tableFile)
	require.NoError(t, err)
	head, rest, ok := strings.Cut(string(data), tableBegin)
	require.True(t, ok, "%s has no line %q", tableFile, tableBegin)
	_, tail, ok := strings.Cut(rest, tableEnd)
	require.True(t, ok, "%s has no line %q", tableFile, tableEnd)
	want := head + tableBegin + instructionTable(t) + tableEnd + tail
	files.Check(t, tableFile, want, *update, "go test ./softgpu/internal/rows -run InstructionTable -update")
}

// count is what one cell of the table says.
type count struct{ decoded, executing, listed, done int }

func (c *count) add(o count) {
	c.decoded += o.decoded
	c.executing += o.executing
	c.listed += o.listed
	c.done += o.done
}

// instructionTable writes a table for each chip, one line per encoding.
func instructionTable(t testing.TB) string {
	var b strings.Builder
	for _, chip := range goldenChips {
		if chip.RDNA() && !chip.IsWave32() {
			continue // has the rows of waves of 32
		}
		counts := countRows(t, chip)
		fmt.Fprintf(&b, "\n### %v\n\n| encoding | execute, of those decoded | execute, of those emitted |\n|---|---|---|\n", chip)
		var total count
		for enc := encoding.Encoding(0); enc < encoding.NumEncodings; enc++ {
			for _, name := range sections(enc) {
				if c := counts[name]; c.decoded > 0 {
					fmt.Fprintf(&b, "| %s | %d of %d | %d of %d |\n", name, c.executing, c.decoded, c.done, c.listed)
					total.add(c)
				}
			}
		}
		fmt.Fprintf(&b, "| all | %d of %d | %d of %d |\n", total.executing, total.decoded, total.done, total.listed)
	}
	return b.String() + "\n"
}

// sections are the table's names for an encoding.
func sections(enc encoding.Encoding) []string {
	switch enc {
	case encoding.FLAT:
		return []string{"FLAT", "FLAT global", "FLAT scratch"}
	case encoding.VOP3P:
		return []string{"VOP3P", "VOP3P matrix"}
	}
	return []string{enc.String()}
}

func section(s subject) string {
	switch {
	case s.enc == encoding.FLAT && s.number>>7 == encoding.SegGlobal:
		return "FLAT global"
	case s.enc == encoding.FLAT && s.number>>7 == encoding.SegScratch:
		return "FLAT scratch"
	case s.enc == encoding.VOP3P && s.row.Form.Flags&(encoding.Matrix|encoding.AccMove) != 0:
		return "VOP3P matrix"
	}
	return s.enc.String()
}

// countRows counts a chip's rows, each in the encoding that it is native to.
func countRows(t testing.TB, chip encoding.Chip) map[string]count {
	names, runs := listed(t, chip), executing(t, chip)
	counts := map[string]count{}
	for _, s := range subjects(chip) {
		if s.suffix != encoding.Plain || s.enc == encoding.VOP3 && s.row.Op < chip.Set().Facts().FirstVOP3 {
			continue
		}
		one := count{decoded: 1}
		if runs[s.row] {
			one.executing = 1
		}
		if names[s.row.Name] {
			one.listed, one.done = 1, one.executing
		}
		c := counts[section(s)]
		c.add(one)
		counts[section(s)] = c
	}
	return counts
}
