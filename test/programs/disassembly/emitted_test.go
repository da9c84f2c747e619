package disassembly

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/softgpu/disassembly"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
	"github.com/mgpu-runtime/mgpu/test/programs/kernels"
)

var update = flag.Bool("update", false, "add to emitted.txt what compilers emit for the programs of the repository")

// emittedFile lists forms and mnemonics by stage: gfx906's are A, B (MLIR) and C (OpenCL and HIP), those of a later GFX9
// and of gfx1151 are what it has more, and other chips have lists of their own. It was begun with more kernels than the
// repository has, so nothing is taken away.
var emittedFile = filepath.Join(chost.Root(), "softgpu", "internal", "rows", "testdata", "emitted.txt")

// targets returns the chips with stages of their own, each after the one whose list it continues: RDNA in both sizes of
// waves, if not all one of them.
func targets(all bool) (list []kernels.Target) {
	for _, chip := range []string{"gfx906", "gfx90a", "gfx942", "gfx950"} {
		list = append(list, kernels.Target{Chip: chip, Level: "-O2"})
	}
	if !all {
		return append(list, kernels.Target{Chip: "gfx1100", Level: "-O2", Lanes: 32})
	}
	for _, chip := range []string{"gfx1030", "gfx1100", "gfx1151", "gfx1200"} {
		list = append(list, kernels.Target{Chip: chip, Level: "-O2", Lanes: 32}, kernels.Target{Chip: chip, Level: "-O2", Lanes: 64})
	}
	return append(list, kernels.Target{Chip: "gfx1250", Level: "-O2", Lanes: 32})
}

// continued are the chips whose lists go on those of others.
var continued = map[string][]string{
	"gfx906": {"A", "B", "C"}, "gfx90a": {"A", "B", "C"}, "gfx942": {"A", "B", "C"}, "gfx950": {"A", "B", "C", "gfx942"}, "gfx1151": {"gfx1100"},
}

// emittedList is the file: comments, and lines of stage, form and mnemonic.
type emittedList struct{ head, lines []string }

func readEmitted(t *testing.T) (l emittedList) {
	t.Helper()
	text, err := os.ReadFile(emittedFile)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			l.head = append(l.head, line)
		} else {
			l.lines = append(l.lines, line)
		}
	}
	require.True(t, slices.IsSorted(l.lines), "%s is not sorted", emittedFile)
	return l
}

// has reports whether a form is in the list of a chip.
func (l *emittedList) has(chip, form string) bool {
	for _, stage := range append(slices.Clone(continued[chip]), chip) {
		if _, found := slices.BinarySearch(l.lines, stage+"\t"+form); found {
			return true
		}
	}
	return false
}

func (l *emittedList) add(stage, form string) {
	at, _ := slices.BinarySearch(l.lines, stage+"\t"+form)
	l.lines = slices.Insert(l.lines, at, stage+"\t"+form)
}

// TestGoldenEmittedInstructions finds what compilers emit for the kernels and programs of the
// repository, or some of them, in emitted.txt, which the tests of package rows and the table in the documentation go by.
func TestGoldenEmittedInstructions(t *testing.T) {
	toolchain.Need(t, disassembly.Tool, "mlir-opt-22", "ld.lld-22", "clang-22")
	all := *update || chost.Long()
	list := readEmitted(t)
	note := func(chip, stage string, image []byte) {
		forms, err := disassembly.Forms(image)
		require.NoError(t, err)
		for _, form := range forms {
			switch form += "\n"; {
			case list.has(chip, form):
			case *update:
				list.add(stage, form)
			default:
				assert.Fail(t, "not in emitted.txt: make golden adds it", "%s: %s", chip, form)
			}
		}
	}
	for _, target := range targets(all) {
		mlir, others := target.Chip, target.Chip
		if target.Chip == "gfx906" {
			mlir, others = "B", "C"
		}
		for _, images := range imagesOfMLIR(t, target, all) {
			for _, image := range images {
				note(target.Chip, mlir, image)
			}
		}
		for _, file := range kernelFiles(t, all) {
			if file == "images.cl" && target.Lanes != 0 {
				continue // image instructions of RDNA are refused
			}
			note(target.Chip, others, kernels.Image(t, file, target))
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(emittedFile, []byte(strings.Join(append(list.head, list.lines...), "")), 0o644))
	}
}

// kernelFiles are the sources of test/programs/kernels, one of them if not all.
func kernelFiles(t *testing.T, all bool) []string {
	t.Helper()
	if !all {
		return []string{"histogram.cl"}
	}
	files, err := filepath.Glob(filepath.Join(chost.Root(), "test", "programs", "kernels", "src", "*.*"))
	require.NoError(t, err)
	for n := range files {
		files[n] = filepath.Base(files[n])
	}
	return files
}
