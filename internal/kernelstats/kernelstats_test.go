package kernelstats

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNamesAreCutBetweenCharacters(t *testing.T) {
	long := strings.Repeat("x", 56)
	for name, short := range map[string]string{
		"saxpy":                      "saxpy",
		"_ZN4math4gemmIfEEvPKT_i":    "math::gemm<float>",
		"a\nb\x7f":                   "a?b?",
		long + "1234":                long + "1234",
		long + "12345":               long + "1...",
		long + "ä€漢x":                long + "ä€漢x",
		long + "€漢12345":             long + "€...",
		"\xe4" + long + "1234567890": "\ufffd" + long + "...",
	} {
		assert.Equal(t, short, ShortName(name))
	}
}
