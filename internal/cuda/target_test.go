package cuda

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWhatPTXIsCompiledFor(t *testing.T) {
	for source, want := range map[string][2]string{
		".version 8.0\n.target sm_90\n.address_size 64\n":    {"90", ""},
		".version 8.0\n  .target\tsm_90a, texmode_unified\n": {"90", "a"},
		".target sm_100f":    {"100", "f"},
		".target gfx906\n":   {"", ""},
		"// .target sm_90\n": {"", ""},
		"":                   {"", ""},
	} {
		number, letter := target(source)
		assert.Equal(t, want, [2]string{number, letter}, "%q", source)
	}
}
