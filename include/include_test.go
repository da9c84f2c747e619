package include

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheHeaderHasTheOnlyVersion(t *testing.T) {
	require.Regexp(t, `^\d+\.\d+\.\d+$`, Version())
	for _, file := range []string{"Makefile", "CMakeLists.txt", "scripts/wheel", "scripts/dist", "scripts/tag"} {
		text, err := os.ReadFile("../" + file)
		require.NoError(t, err)
		assert.Contains(t, string(text), "include/mgpu_runtime.h", "%s asks the header", file)
		assert.NotContains(t, string(text), Version(), "%s has a version of its own", file)
	}
}

func TestMakeReadsTheVersion(t *testing.T) {
	make := exec.Command("make", "--no-print-directory", "--eval=the-version: ; @echo $(VERSION)", "the-version")
	make.Dir = ".."
	out, err := make.CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Equal(t, Version(), strings.TrimSpace(string(out)))
}
