package emu

import (
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

//go:noinline
func multiply(a, b float32) float32 { return a * b }

//go:noinline
func divide(a, b float32) float32 { return a / b }

// A host built with -ffast-math flushes denormals in every thread; others round
// upwards for a while.
func TestTheHostsFloatingPointModeReachesNoInstruction(t *testing.T) {
	const flushAndRoundUp = nearestAllDenormals | 1<<15 | 1<<6 | 2<<13
	denormal := math.Float32frombits(2)
	var product, quotient float32
	p := program(func(w *wave.Wave) { product, quotient = multiply(denormal, 0.5), divide(1, 3); end(w) })
	k := newKernel(t, p, codeobj.Descriptor{})

	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	was := swapFloatEnv(flushAndRoundUp)
	err := NewMachine(encoding.Gfx906, &pages{}).Run(&Dispatch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}})
	flushed := multiply(denormal, 0.5)
	after := swapFloatEnv(was)

	require.NoError(t, err)
	assert.Equal(t, uint32(1), math.Float32bits(product))
	assert.Equal(t, uint32(0x3eaaaaab), math.Float32bits(quotient))
	assert.Zero(t, flushed, "the host's own mode is back after the run")
	assert.Equal(t, uint32(flushAndRoundUp), after&^0x3f)
}
