package disassembly

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu"
	"github.com/mgpu-runtime/mgpu/softgpu/disassembly"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
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

// TestProgramsOfMLIR compares the kernels of the programs in test/mlir, made for
// four chips: some of them, or with MGPU_TEST_LONG=1 all.
func TestProgramsOfMLIR(t *testing.T) {
	toolchain.Need(t, disassembly.Tool, "mlir-opt-22", "ld.lld-22")
	for _, chip := range chips {
		t.Run(chip, func(t *testing.T) {
			programs := imagesOfMLIR(t, chip, chost.Long())
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

// lowered remembers what imagesOfMLIR made.
var lowered = map[string]map[string]map[string][]byte{}

// imagesOfMLIR returns the code objects of programs of test/mlir, by the programs' names.
func imagesOfMLIR(t *testing.T, chip string, all bool) map[string]map[string][]byte {
	t.Helper()
	made := fmt.Sprint(chip, all)
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
		if strings.Contains(string(text), "// REQUIRES: from-mlir-23") || chip == "gfx906" && strings.HasPrefix(name, "matrix-cores") {
			continue
		}
		kind := kinds[name]
		if kind == "" {
			kind = "gpu"
		}
		ir, err := toolchain.Lower(kind, string(text), "CHIP="+chip)
		require.NoError(t, err, name)
		result[name], err = toolchain.Binaries(ir)
		require.NoError(t, err, name)
	}
	lowered[made] = result
	return result
}
