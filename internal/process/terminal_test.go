package process

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLinesAreColouredByWhatTheySay(t *testing.T) {
	for line, want := range map[string]string{
		"mgpu check: race: write of 4 bytes\n    at f+0x58\n":    red + "mgpu check: race:" + plain + " write of 4 bytes\n    at f+0x58\n",
		"mgpu check: memory,race: nothing found\n":               red + "mgpu check: memory,race:" + plain + " nothing found\n",
		"'hipFree' failed with 'hipErrorInvalidValue': why\n":    red + "'hipFree' failed with 'hipErrorInvalidValue'" + plain + ": why\n",
		"mgpu: no GPU found\nmgpu: another":                      bold + "mgpu:" + plain + " no GPU found\n" + bold + "mgpu:" + plain + " another",
		"'quoted' and no more\n":                                 "'quoted' and no more\n",
		"function                   calls | driver calls   ms\n": "function                   calls | driver calls   ms\n",
	} {
		assert.Equal(t, want, string(coloured([]byte(line))))
	}
}
