package softgpu

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func TestAPreparedModuleIsParsedOnce(t *testing.T) {
	d, err := Open(Options{})
	require.NoError(t, err)
	code := slices.Clone(image(t))
	p := d.PrepareModule(code)
	require.Empty(t, p.Unshareable)
	note := bytes.Index(code, []byte("AMDGPU\x00"))
	require.Positive(t, note)
	copy(code[note:], "hidden")
	_, err = codeobj.Parse(code)
	require.ErrorContains(t, err, "metadata", "who parses the image again finds no kernels")
	m, err := p.Load()
	require.NoError(t, err)
	_, err = d.ModuleGetFunction(m, "vector_add")
	require.NoError(t, err)
	require.NoError(t, d.ModuleUnload(m))
}

func TestAPreparedModuleFailsAsItsImageDoes(t *testing.T) {
	d, err := Open(Options{})
	require.NoError(t, err)
	code := image(t)
	for name, image := range map[string][]byte{
		"for another chip": image(t, "-mcpu=gfx90a"), "nothing": nil, "text": []byte("hello, world\x00"), "cut short": code[:len(code)/2],
		"without its end": code[:len(code)-1], "a header": code[:64], "an empty bundle": append([]byte("__CLANG_OFFLOAD_BUNDLE__"), make([]byte, 8)...),
	} {
		_, want := d.ModuleLoad(image)
		require.Error(t, want, name)
		m, err := d.PrepareModule(image).Load()
		assert.Zero(t, m, name)
		assert.Equal(t, want, err, name)
		kind, _ := codeobj.KindOf(image)
		p, traits := d.PrepareModule(image), codeobj.TraitsOf(kind, image)
		assert.Equal(t, traits, codeobj.Traits{Unshareable: p.Unshareable, Silent: p.Silent}, name)
	}
}

// Both objects of linked.hsaco have a kernel of their own. Common and chosen are in both; the linker has taken the first
// common and the second chosen.
func TestKernelsOfAllLinkedObjectsExecute(t *testing.T) {
	linked, err := os.ReadFile(filepath.Join("..", "internal", "codeobj", "testdata", "linked.hsaco"))
	require.NoError(t, err)
	d := open(t, Options{})
	p, words := buffer[uint32](t, d, 1)
	for _, c := range []struct {
		kernel string
		want   uint32
		values []any
	}{
		{"part1", 41, []any{p, uint32(40)}}, {"common", 1, []any{p}}, {"chosen", 47, []any{p, uint32(40), uint32(5)}}, {"part2", 42, []any{p, uint32(40)}},
	} {
		require.NoError(t, run(t, d, linked, c.kernel, d1(1), d1(1), c.values...), c.kernel)
		assert.Equal(t, c.want, words[0], c.kernel)
	}
}

// Beside the kernel there are 4 MiB of instructions that it does not reach. Decoded, each would take a hundred bytes.
func TestAModuleCostsItsBytesAndALaunchTheCodeThatItReaches(t *testing.T) {
	const size = 4 << 20
	code := assemble(t, header+"s_endpgm\n.Lend:\n.globl far\n.type far,@function\nfar:\n"+
		fmt.Sprintf(".fill %d, 4, 0xbf800000\ns_endpgm\n.Lafter:\n.size far, .Lafter-far\n", size/4)+footer)
	require.Greater(t, len(code), size)
	d := open(t, Options{})
	inUse := func() (own, device uint64) {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, d.heap.inUse(0)
	}
	ownBefore, deviceBefore := inUse()
	m, err := d.ModuleLoad(code)
	require.NoError(t, err)
	own, device := inUse()
	assert.Less(t, int64(own-ownBefore), int64(size/64), "bytes of the process's own")
	assert.Less(t, int64(device-deviceBefore), int64(len(code)+size/64), "bytes of the device's memory")
	f, err := d.ModuleGetFunction(m, "k")
	require.NoError(t, err)
	require.NoError(t, d.LaunchKernel(f, driver.Launch{Grid: d1(1), Block: d1(64)}))
	require.NoError(t, d.StreamSynchronize(0))
	own, _ = inUse()
	assert.Less(t, int64(own-ownBefore), int64(size/2), "bytes of the process's own, after a launch")
	require.NoError(t, d.ModuleUnload(m))
}
