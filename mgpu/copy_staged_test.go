package mgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// HIP's wait for a stream ends captures on others, and fails, where its copy does neither.
func TestAStagedCopyEndsNoCaptureOfAnotherStream(t *testing.T) {
	for _, status := range []int32{0, 1} {
		h, d := copying("")
		s, block := h.StreamCreate(), h.MemAlloc(64<<10, 0, false)
		h.kernelsWon()
		w := h.Memcpy(addressOfBytes(d.host), block, 64<<10, s)
		require.EqualValues(t, 0x57a6ed, w.Fn)
		require.EqualValues(t, driver.CaptureRelaxed, d.mode)
		h.Waited(w, status)
		require.Zero(t, d.mode)
		w = h.Memcpy(0xf0e1d000, block, 64<<10, s) // the driver's
		require.Zero(t, d.mode)
		h.Waited(w, 0)
		require.Zero(t, d.mode)
	}
}

func TestACopyBehindADeferredOneWaitsAndEndsNoCapture(t *testing.T) {
	h, d := copying("deferred")
	s, block := h.StreamCreate(), h.MemAlloc(64<<10, 0, false)
	host := addressOfBytes(d.host)
	h.Memcpy(host, block, 64<<10, s)
	h.Memcpy(block, host, 64<<10, s)
	assert.EqualValues(t, driver.CaptureRelaxed, d.waitedIn)
	assert.Zero(t, d.mode)
	assert.EqualValues(t, 1, h.MemoryStats(0).Copies.Delivered)
	h.requireSilence(t)
}

// A kernel may wait for what the program does behind the copy, and the driver's
// allocation for the kernel.
func TestACopyPageLocksNoMemoryWhileOtherStreamsWork(t *testing.T) {
	h, d := copying("")
	s, other, block := h.StreamCreate(), h.StreamCreate(), h.MemAlloc(64<<10, 0, false)
	host := addressOfBytes(d.host)
	h.kernelsWon()
	launchOn(h, other)
	for range 3 {
		require.Zero(t, h.copied(host, block, 64<<10, s), "the driver's")
	}
	require.Zero(t, d.pinned)
	h.Waited(h.StreamSynchronize(other), 0)
	require.EqualValues(t, aCopy, h.copied(host, block, 64<<10, s))
	launchOn(h, other)
	require.EqualValues(t, aCopy, h.copied(host, block, 64<<10, s), "by what is kept")
	require.Equal(t, 1, d.pinned)
	h.requireSilence(t)
}
