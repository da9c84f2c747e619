package softgpu

import (
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// hostPages maps n pages of host memory that the test may protect and unmap.
func hostPages(t testing.TB, n uint64) ([]byte, driver.Ptr) {
	t.Helper()
	b, err := mapMemory(n * pageSize)
	require.NoError(t, err)
	t.Cleanup(func() { unmapMemory(b) })
	return b, driver.Ptr(addressOf(b))
}

func TestPermissionsThatTheHostTakesAreFaults(t *testing.T) {
	d := open(t, Options{})
	f := kernel(t, d, image(t), "poke")
	s := newTestStream(t, d)
	pages, p := hostPages(t, 1)
	l := driver.Launch{Grid: d1(1), Block: d1(64), Stream: s, Params: arguments(t, p, uint32(1), uint32(9))}
	for range 3 {
		require.NoError(t, d.LaunchKernel(f, l))
		require.NoError(t, d.StreamSynchronize(s))
		require.NoError(t, syscall.Mprotect(pages, syscall.PROT_READ))
		require.NoError(t, d.LaunchKernel(f, l))
		err := d.StreamSynchronize(s)
		require.ErrorIs(t, err, driver.LaunchFailure)
		assert.Contains(t, err.Error(), fmt.Sprintf("write to an address that is not mapped, address %#x", uintptr(p)+4))
		require.NoError(t, syscall.Mprotect(pages, syscall.PROT_READ|syscall.PROT_WRITE))
	}
}

func TestEachLaunchAsksAnew(t *testing.T) {
	for name, known := range map[string][]hostWindow{"regions": nil, "snapshot": make([]hostWindow, mostKnown), "probes": nil} {
		t.Run(name, func(t *testing.T) {
			v := view{heap: newHeap(1, 1<<20), known: known}
			pages, p := hostPages(t, 1)
			reaches := func(write bool) bool {
				lo, hi, ok := v.Window(uint64(p)+8, write)
				if ok {
					assert.LessOrEqual(t, lo, uint64(p))
					assert.GreaterOrEqual(t, hi, uint64(p)+pageSize)
				}
				return ok
			}
			launch := func() {
				v.reset()
				v.known, v.blind = append(v.known, known...), name == "probes"
			}
			launch()
			assert.True(t, reaches(true))
			require.NoError(t, syscall.Mprotect(pages, syscall.PROT_READ))
			launch()
			assert.True(t, reaches(false))
			assert.False(t, reaches(true))
			require.NoError(t, syscall.Mprotect(pages, syscall.PROT_NONE))
			launch()
			assert.False(t, reaches(false))
			require.NoError(t, syscall.Mprotect(pages, syscall.PROT_READ|syscall.PROT_WRITE))
			assert.True(t, reaches(true), "what was missing is asked about again")
		})
	}
}

func TestAKernelMayUseManyHostRegions(t *testing.T) {
	v := view{heap: newHeap(1, 1<<20)}
	pages, p := hostPages(t, 8*mostKnown)
	for at := uint64(0); at < uint64(len(pages)); at += 2 * pageSize { // no two neighbours are alike
		require.NoError(t, syscall.Mprotect(pages[at:at+pageSize], syscall.PROT_READ))
	}
	for at := uint64(0); at < uint64(len(pages)); at += pageSize {
		_, _, ok := v.Window(uint64(p)+at, true)
		assert.Equal(t, at/pageSize%2 == 1, ok, "page %d", at/pageSize)
	}
	assert.LessOrEqual(t, len(v.known), mostKnown)
}

func TestFillsOfRegisteredMemoryThatWentAway(t *testing.T) {
	d := open(t, Options{})
	s := newTestStream(t, d)
	pages, p := hostPages(t, 256)
	require.NoError(t, d.HostRegister(p, uint64(len(pages))))
	require.NoError(t, d.Memset16(p, 0x1234, 3, s))
	require.NoError(t, d.Memset32(p+8, 7, uint64(len(pages))/4-2, s))
	require.NoError(t, d.StreamSynchronize(s))
	assert.Equal(t, []uint16{0x1234, 0x1234, 0x1234, 0}, elements[uint16](uintptr(p), 4))
	last := elements[uint32](uintptr(p), len(pages)/4)
	assert.Equal(t, []uint32{7, 7, 7}, []uint32{last[2], last[len(last)/2], last[len(last)-1]})

	require.NoError(t, syscall.Mprotect(pages[128*pageSize:], syscall.PROT_READ))
	require.NoError(t, d.Memset32(p, 9, uint64(len(pages))/4, s))
	err := d.StreamSynchronize(s)
	require.ErrorIs(t, err, driver.InvalidValue)
	assert.Contains(t, err.Error(), fmt.Sprintf("'hipMemsetD32Async' failed with 'hipErrorInvalidValue': cannot fill %d bytes at %#x: not mapped for writing from byte %d on",
		len(pages), uintptr(p), 128*pageSize))
	require.NoError(t, d.HostUnregister(p))
}

// MemFree hides a block, and then waits for threads that may have found it before.
func TestABlockThatIsAboutToBeFreedIsFoundByNobody(t *testing.T) {
	d := open(t, Options{})
	f := kernel(t, d, image(t), "poke")
	s := newTestStream(t, d)
	for _, n := range []uint64{64, 1 << 20} {
		p, err := d.MemAlloc(4 * n)
		require.NoError(t, err)
		g := hold(t, d, s)
		require.NoError(t, d.Memset32(p, 1, n, s))
		require.True(t, d.heap.condemn(uintptr(p), programs))
		g.open()
		err = d.StreamSynchronize(s)
		require.ErrorIs(t, err, driver.InvalidValue)
		assert.Contains(t, err.Error(), fmt.Sprintf("the block at %#x was freed meanwhile", uintptr(p)))
		require.NoError(t, d.LaunchKernel(f, driver.Launch{Grid: d1(1), Block: d1(64), Stream: s, Params: arguments(t, p, uint32(3), uint32(1))}))
		err = d.StreamSynchronize(s)
		require.ErrorIs(t, err, driver.LaunchFailure)
		assert.Contains(t, err.Error(), "a block that was freed")
		require.ErrorIs(t, d.Memset32(p, 1, 1, s), driver.InvalidValue)
		require.ErrorIs(t, d.MemFree(p), driver.InvalidValue, "it is another thread's to free")
		require.True(t, d.heap.free(uintptr(p), programs))
	}
}
