package hsa

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// at is a block that one of two places of a program has allocated.
func at(address, size, caller uint64) *Allocation {
	return &Allocation{Address: address, Size: size, Site: Site{Call: "hipMalloc", File: "/no/such/file", Base: 0x1000, Caller: 0x1000 + caller}}
}

// leaksOf returns the report about a program that makes these calls.
func leaksOf(t *testing.T, calls func(sys *System)) (lines []string, last string) {
	t.Helper()
	h := newHost(t, Options{Check: "leak"})
	require.Nil(t, h.check, "no kernel is watched")
	calls(h.System)
	last = h.Leaks()
	for len(h.lines.written) > 0 {
		lines = append(lines, <-h.lines.written)
	}
	return lines, last
}

func TestBlocksThatAreNotFreedAreListedByPlace(t *testing.T) {
	lines, last := leaksOf(t, func(sys *System) {
		sys.Allocated(at(0x10000, 100, 0x10))
		sys.Allocated(at(0x20000, 5000, 0x20))
		sys.Allocated(at(0x30000, 1, 0x10))
		sys.Allocated(at(0x40000, 7, 0x30))
		sys.Released(0x40003) // within the block
		sys.Released(0x90000) // another's
	})
	require.Empty(t, last)
	require.Equal(t, []string{
		"mgpu check: leak: 1 block of memory, 5000 bytes never freed, allocated by hipMalloc at file+0x20\n",
		"mgpu check: leak: 2 blocks of memory, 101 bytes never freed, the last allocated by hipMalloc at file+0x10\n",
	}, lines)
}

// Between a free and its note another thread may get the address.
func TestAFreeThatIsNotedLateEndsTheOlderBlock(t *testing.T) {
	lines, _ := leaksOf(t, func(sys *System) {
		sys.Allocated(at(0x10000, 100, 0x10))
		sys.Allocated(at(0x10000, 200, 0x20))
		sys.Released(0x10000)
	})
	require.Equal(t, []string{"mgpu check: leak: 1 block of memory, 200 bytes never freed, allocated by hipMalloc at file+0x20\n"}, lines)
}

func TestAResetFreesWhatItsDeviceHas(t *testing.T) {
	lines, last := leaksOf(t, func(sys *System) {
		other := at(0x20000, 8, 0x20)
		other.Device = 1
		sys.Allocated(at(0x10000, 100, 0x10))
		sys.Allocated(other)
		sys.Reset(0)
	})
	require.Empty(t, last)
	require.Len(t, lines, 1)
	require.Contains(t, lines[0], "8 bytes never freed")
}

func TestAProgramWithoutLeaksIsTold(t *testing.T) {
	lines, last := leaksOf(t, func(sys *System) {
		sys.Allocated(at(0x10000, 100, 0x10))
		sys.Released(0x10000)
	})
	require.Empty(t, lines)
	require.Equal(t, "mgpu check: leak: everything was given back", last)
	_, last = leaksOf(t, func(*System) {})
	require.Equal(t, "mgpu check: leak: no allocation of the program was seen", last)
	h := newHost(t, Options{Check: "memory"})
	h.Allocated(at(0x10000, 100, 0x10))
	require.Empty(t, h.Leaks(), "nothing is asked for")
}

// A kernel may still use a pool's block at its former size.
func TestBlocksOfPoolsKeepTheSizeOfThePools(t *testing.T) {
	h := newHost(t, Options{Check: "memory,leak"})
	b := h.alloc(firstGPU, page)
	pooled := at(b, 100, 0x10)
	pooled.Pooled = true
	h.Allocated(pooled)
	_, hi, ok := h.gpus[0].view().Window(b, true)
	require.True(t, ok)
	require.Equal(t, b+page, hi)
}
