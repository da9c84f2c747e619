package rocm

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

// elsewhere assembles hosts/elsewhere.s with so many words of code, and bytes of data.
func (s *suite) elsewhere(t *testing.T, words, space int) string {
	t.Helper()
	toolchain.Need(t, "clang-22", "ld.lld-22")
	return chost.Once(fmt.Sprintf("elsewhere.%s.%d.%d", s.version, words, space), func(path string) {
		source, err := os.ReadFile("hosts/elsewhere.s")
		require.NoError(t, err)
		text := strings.NewReplacer("VERSION", s.version, "WORDS", fmt.Sprint(words), "SPACE", fmt.Sprint(space)).Replace(string(source))
		c := exec.Command("clang-22", "-x", "assembler", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx906", "-mcode-object-version="+s.version,
			"--ld-path=ld.lld-22", "-o", path, "-")
		c.Stdin = strings.NewReader(text)
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
	})
}

// A kernel may be longer than what is decoded at first, in an image that is too large
// to look at for names, and call functions of other code objects.
func TestKernelsRunCodeWhereverItIs(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		s.root(t)
		for name, space := range map[string]int{"of an image that is known": 4, "of one that is too large": 65 << 20} {
			if space > 4 && s != machine {
				continue // once is enough for so much
			}
			t.Run(name, func(t *testing.T) {
				r := s.start(t, []string{"MGPU_SOFT_CHIP=gfx906", "MODULE=" + s.elsewhere(t, 40_000, space), "OTHER=" + s.elsewhere(t, 1, 4)},
					s.program(t, "elsewhere"))
				require.Equal(t, "ok\n", r.Stdout, r.Stderr)
				require.Equal(t, "exit 0", r.End, r.Stderr)
			})
		}
	})
}
