package disassembly

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu"
	"github.com/mgpu-runtime/mgpu/softgpu/disassembly"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
	"github.com/mgpu-runtime/mgpu/test/programs/kernels"
)

// TestCheckedInCodeObjects compares those of the repository.
func TestCheckedInCodeObjects(t *testing.T) {
	toolchain.Need(t, disassembly.Tool)
	files, err := filepath.Glob(filepath.Join(chost.Root(), "internal", "codeobj", "testdata", "*.hsaco"))
	require.NoError(t, err)
	compared := 0
	for _, file := range files {
		image, err := os.ReadFile(file)
		require.NoError(t, err)
		obj, err := codeobj.Parse(image)
		require.NoError(t, err, file)
		if softgpu.KnowsChip(obj.ID.Processor) != nil {
			continue
		}
		n, err := disassembly.Compare(image)
		require.NoError(t, err, file)
		assert.Positive(t, n, file)
		compared++
	}
	require.Greater(t, compared, 10)
}

// TestProgramsOfMLIR compares the kernels of the programs in test/mlir: some of them for
// five chips, or with MGPU_TEST_LONG=1 all for nine, RDNA in both sizes of waves.
func TestProgramsOfMLIR(t *testing.T) {
	toolchain.Need(t, disassembly.Tool, "mlir-opt-22", "ld.lld-22")
	for _, target := range targets(chost.Long()) {
		t.Run(target.String(), func(t *testing.T) {
			programs := imagesOfMLIR(t, target, chost.Long())
			total := 0
			for name, images := range programs {
				for _, image := range images {
					n, err := disassembly.Compare(image)
					require.NoError(t, err, name)
					total += n
				}
			}
			t.Logf("%d instructions of %d programs compared", total, len(programs))
			require.Positive(t, total)
		})
	}
}

// kinds are the pipelines of scripts/lower for the programs that do not want "gpu".
var kinds = map[string]string{
	"async-region.mlir": "async", "linalg-elementwise.mlir": "linalg", "linalg-matmul.mlir": "linalg",
	"printf.mlir": "printf", "hostcalls.mlir": "printf", "trap.mlir": "printf",
}

// ofGFX9 are the programs that are written for chips of GFX9 or for waves of 64 there.
var ofGFX9 = []string{"chips.mlir", "matrix-cores.mlir", "matrix-cores-f64.mlir", "subgroup-shuffle.mlir"}

// lowered remembers what imagesOfMLIR made.
var lowered = map[string]map[string]map[string][]byte{}

// imagesOfMLIR returns the code objects of programs of test/mlir, by the programs' names.
func imagesOfMLIR(t *testing.T, target kernels.Target, all bool) map[string]map[string][]byte {
	t.Helper()
	made := fmt.Sprint(target, all)
	if images, ok := lowered[made]; ok {
		return images
	}
	programs := []string{"softmax.mlir", "element-types.mlir"}
	if all {
		files, err := filepath.Glob(filepath.Join(chost.Root(), "test", "mlir", "*.mlir"))
		require.NoError(t, err)
		programs = nil
		for _, f := range files {
			programs = append(programs, filepath.Base(f))
		}
	}
	result := map[string]map[string][]byte{}
	for _, name := range programs {
		text, err := os.ReadFile(filepath.Join(chost.Root(), "test", "mlir", name))
		require.NoError(t, err)
		if strings.Contains(string(text), "// REQUIRES: from-mlir-23") || target.Chip == "gfx906" && strings.HasPrefix(name, "matrix-cores") ||
			target.Lanes != 0 && slices.Contains(ofGFX9, name) {
			continue
		}
		kind := kinds[name]
		if kind == "" {
			kind = "gpu"
		}
		env := []string{"CHIP=" + target.Chip}
		if target.Lanes != 0 {
			env = append(env, fmt.Sprint("WAVE=", target.Lanes))
		}
		ir, err := toolchain.Lower(kind, string(text), env...)
		require.NoError(t, err, name)
		result[name], err = toolchain.Binaries(ir)
		require.NoError(t, err, name)
	}
	lowered[made] = result
	return result
}
