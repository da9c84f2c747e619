package hsa

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
)

const twoKernels = "../../../internal/codeobj/testdata/v5.hsaco"

// loaded copies the segments of a code object to the GPUs' memory, and returns where address 0 is.
func (h *host) loaded(path string) (base uint64) {
	h.Helper()
	image, err := os.ReadFile(path)
	require.NoError(h, err)
	o, err := codeobj.ParseCode(image)
	require.NoError(h, err)
	base = h.alloc(firstGPU, o.MemSize())
	for _, s := range o.Segments {
		copy(bytesAt(base+s.Addr, s.MemSize), s.Bytes)
	}
	return base
}

// lists makes a runtime's list of one code object.
func (h *host) lists(base uint64, uri string) {
	list := anyPages(h.TB, page)
	link, name := list+64, list+128
	store64(list+debugMap, link)
	store64(link+linkAddr, base)
	store64(link+linkName, name)
	copy(bytesAt(name, 1024), uri)
	h.SetDebug(list)
}

// A program may free an image, use its memory for another, or remove the file, once it is loaded: kernels have
// the names of what was loaded.
func TestKernelsHaveTheirNamesWhateverBecameOfTheImage(t *testing.T) {
	image, err := os.ReadFile(twoKernels)
	require.NoError(t, err)
	other, err := os.ReadFile("../../../internal/codeobj/testdata/globals.hsaco")
	require.NoError(t, err)
	code, err := codeobj.Parse(image)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "file.hsaco")
	memory := anyPages(t, 64<<10)
	inMemory := fmt.Sprintf("memory://%d#offset=%#x&size=%d", os.Getpid(), memory, len(image))
	for name, becomes := range map[string]struct {
		uri   string
		after func()
		lines bool // of sources
	}{
		"it stays in memory":    {inMemory, func() { copy(bytesAt(memory, 64<<10), image) }, true},
		"zeros":                 {inMemory, func() { clear(bytesAt(memory, 64<<10)) }, false},
		"no segments":           {inMemory, func() { copy(bytesAt(memory, 64<<10), image[:64]) }, false},
		"another in its memory": {inMemory, func() { copy(bytesAt(memory, 64<<10), other) }, false},
		"it stays in a file":    {"file://" + file, func() { require.NoError(t, os.WriteFile(file, image, 0o600)) }, true},
		"another file":          {"file://" + file, func() { require.NoError(t, os.WriteFile(file, other, 0o600)) }, false},
		"no file":               {"file://" + file, func() { require.NoError(t, os.RemoveAll(file)) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, Options{Check: "memory"})
			base := h.loaded(twoKernels)
			h.lists(base, becomes.uri)
			clear(bytesAt(memory, 64<<10))
			becomes.after()
			require.NotEmpty(t, code.Kernels)
			for i := range code.Kernels {
				k := &code.Kernels[i]
				o := h.loadedAt(base+k.DescriptorAddr, h.gpus[0].view())
				require.NotNil(t, o)
				require.Equal(t, k.Name, o.kernelName(base+k.DescriptorAddr))
				require.Equal(t, base+code.Text.Addr, o.lo)
				require.True(t, h.check.watches(o.kernelName(base+k.DescriptorAddr), o))
				require.Equal(t, becomes.lines, len(o.image) == len(image))
			}
		})
	}
}
