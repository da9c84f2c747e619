package alu

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestGODEBUGTakesTheKernelsInAssemblyAway(t *testing.T) {
	for debug, off := range map[string]bool{
		"": false, "cpu.avx2=off": true, "gctrace=1,cpu.fma=off": true, "cpu.all=off,cpu.sse41=on": true, "cpu.avx=off": true,
		"cpu.rdtscp=off": false, "cpu.avx512f=off": false, "cpu.avx2=on": false,
	} {
		assert.Equal(t, off, switchedOff(debug), debug)
	}
	assert.False(t, HasAVX2 && switchedOff(os.Getenv("GODEBUG")))
}
