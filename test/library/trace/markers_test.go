package trace

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// A library that the process has loaded is found by its SONAME.
func TestRangesRegionsAndScopesGoToALoadedProfiler(t *testing.T) {
	for soname, told := range map[string]bool{"libroctx64.so.4": true, "libother.so": false} {
		library := filepath.Join(t.TempDir(), soname)
		out, err := exec.Command("cc", "-shared", "-fPIC", "-Wl,-soname,"+soname, "-o", library, filepath.Join("hosts", "markers.c")).CombinedOutput()
		require.NoError(t, err, "%s", out)
		r := chost.Run(t, []string{soft, "LD_PRELOAD=" + library}, host(t), "ranges")
		require.Equal(t, "exit 0", r.End, r.Stderr)
		var lines []string
		for _, line := range r.Lines() {
			if regexp.MustCompile(`^(push|pop|mark)`).MatchString(line) {
				lines = append(lines, regexp.MustCompile(`scope 0x.*`).ReplaceAllString(line, "scope"))
			}
		}
		if told {
			require.Equal(t, []string{"push outer", "mark a mark", "push mgpu scope", "push mgpu region 0x7", "pop", "pop", "pop"}, lines)
		} else {
			require.Empty(t, lines)
		}
	}
}
