package modulecache

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// These tests read real code objects from bad memory, as programs pass them.

func TestRealCodeObjectIsLoadedWhole(t *testing.T) {
	images := drivertest.BuildAMD(t, "gfx906")
	img := images.Kernels()
	d := new(recordingDriver)
	c := New(Config{})
	size := (len(img) + 8191) &^ 4095
	mem := region(t, size)
	at := mem[size-len(img):] // ends with the mapping, at any alignment
	copy(at, img)
	m := load(t, c, d, 0, addressOf(at), Miss)
	require.Equal(t, string(img), d.text(m), "the length is the image's own")
	unload(t, c, d, m, StaysLoaded)
	require.Equal(t, m, load(t, c, d, 0, addressOf(at), HitVerified))
	unload(t, c, d, m, StaysLoaded)

	copy(at, images.Other()) // a JIT compiler uses the buffer again
	other := load(t, c, d, 0, addressOf(at), Miss)
	require.NotEqual(t, m, other)
	require.Equal(t, string(images.Other())[:100], d.text(other)[:100])
	copy(at, img)
	require.Equal(t, m, load(t, c, d, 0, addressOf(at), HitContent))
}

func TestTruncatedCodeObjectsAreErrors(t *testing.T) {
	img := drivertest.BuildAMD(t, "gfx906").Kernels()
	d := new(recordingDriver)
	c := New(Config{})
	size := (len(img)+4095)&^4095 + 4096
	mem := region(t, size)
	require.NoError(t, syscall.Mprotect(mem[size-4096:], syscall.PROT_NONE))
	readable := mem[:size-4096]
	for n := 0; n < len(img); n += 64 {
		at := readable[len(readable)-n:]
		copy(at, img[:n])
		_, _, err := c.Load(d, 0, addressOf(readable)+uintptr(len(readable)-n))
		require.ErrorIs(t, err, driver.InvalidImage, "%d bytes", n)
	}
	require.Zero(t, d.loads)
}

func TestCodeObjectThatCannotBeReadIsNotShared(t *testing.T) {
	img := drivertest.BuildAMD(t, "gfx906").Kernels()
	d := new(recordingDriver)
	c := New(Config{})
	mem := region(t, (len(img)+4095)&^4095)
	copy(mem, img)
	for i := 0; i+8 < len(img); i++ {
		if string(img[i:i+6]) == "AMDGPU" { // the owner of the note with the metadata
			copy(mem[i:], "hidden")
		}
	}
	for range 2 {
		m, o, err := c.Load(d, 0, addressOf(mem))
		require.NoError(t, err)
		require.Equal(t, Refused, o.Result)
		require.NotEmpty(t, o.Reason)
		unload(t, c, d, m, Refused)
	}
	require.Equal(t, 2, d.loads)
}
