package mgpu

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// places is a driver that counts the queries for the memory at an address.
type places struct {
	*capturing
	shared func(driver.Ptr) bool // page-locked by another library
	asked  int
}

func (d *places) PlaceOf(p driver.Ptr) (driver.Place, error) {
	d.asked++
	if d.shared != nil && d.shared(p) {
		return driver.Shared, nil
	}
	return driver.Pageable, nil
}

func overPlaces(shared func(driver.Ptr) bool) (*host, *places) {
	d := &places{capturing: &capturing{Driver: null.Open(null.Options{})}, shared: shared}
	return over(d, Config{FastPath: &fastPath{}}), d
}

func (h *host) copy(dst, src, stream uintptr) { h.Waited(h.Memcpy(dst, src, 64, stream), 0) }

// freed frees a block, and returns how many frees have waited for the device so far.
func (h *host) freed(block uintptr) uint64 {
	h.Waited(h.MemFree(block), 0)
	return h.MemoryStats(0).Waits.Shared
}

const aHostBuffer = 0x7f00_0000_1000

func TestOnlyAFreeWithWorkPendingAsksWhatLiesAtAddressesOfCopies(t *testing.T) {
	h, d := overPlaces(nil)
	s, a, b := h.StreamCreate(), h.MemAlloc(64, 0, false), h.MemAlloc(64, 0, false)
	for range 5 {
		h.copy(aHostBuffer, a, s)
		h.copy(a, aHostBuffer, s)
	}
	require.Zero(t, d.asked, "by copies")
	h.Waited(h.StreamSynchronize(s), 0)
	h.freed(a)
	require.Zero(t, d.asked, "by a free with nothing pending")
	h.copy(aHostBuffer, b, s)
	require.Zero(t, h.freed(b))
	require.Equal(t, 1, d.asked, "about one destination, once")
	h.requireSilence(t)
}

func TestAFreeWaitsForCopiesToMemoryThatOthersPageLocked(t *testing.T) {
	h, d := overPlaces(func(p driver.Ptr) bool { return p == aHostBuffer })
	s := h.StreamCreate()
	block := func() uintptr { return h.MemAlloc(64, 0, false) }
	b := block()
	h.copy(aHostBuffer+4096, b, s)
	require.Zero(t, h.freed(b), "a pageable destination")
	b = block()
	h.copy(aHostBuffer, b, s)
	require.EqualValues(t, 1, h.freed(b))
	asked := d.asked
	b = block()
	launchOn(h, s)
	require.EqualValues(t, 2, h.freed(b), "from then on")
	require.Equal(t, asked, d.asked, "the answer is known")
	h.requireSilence(t)
}

// A free also waits for the reads of a copy's source, and for fills of memory that the host sees. If a program has
// neither, each address is queried once.
func TestAFreeWaitsForWhatCopiesReadAndFillsWrite(t *testing.T) {
	for name, work := range map[string]func(h *host, b, s uintptr){
		"a copy from there":             func(h *host, b, s uintptr) { h.copy(b, aHostBuffer, s) },
		"a copy to there":               func(h *host, b, s uintptr) { h.copy(aHostBuffer, b, s) },
		"a copy within":                 func(h *host, _, s uintptr) { h.copy(aHostBuffer+4096, aHostBuffer, s) },
		"a fill of words":               func(h *host, _, s uintptr) { h.Memset32(aHostBuffer, 7, 16, s) },
		"a fill of halves":              func(h *host, _, s uintptr) { h.Memset16(aHostBuffer, 7, 16, s) },
		"a copy on the null stream":     func(h *host, b, _ uintptr) { h.copy(b, aHostBuffer, 0) },
		"a fill on the null stream":     func(h *host, _, _ uintptr) { h.Memset32(aHostBuffer, 7, 16, 0) },
		"a copy from the middle of it":  func(h *host, b, s uintptr) { h.copy(b, aHostBuffer+64, s) },
		"a copy past the block's start": func(h *host, b, s uintptr) { h.copy(b+8, aHostBuffer, s) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, shared := range []bool{true, false} {
				h, d := overPlaces(func(p driver.Ptr) bool { return shared && p>>12 == aHostBuffer>>12 })
				s, b, other := h.StreamCreate(), h.MemAlloc(64, 0, false), h.MemAlloc(64, 0, false)
				work(h, b, s)
				require.Zero(t, d.asked)
				want := uint64(0)
				if shared {
					want = 1
				}
				require.Equal(t, want, h.freed(other), "of any block")
				require.LessOrEqual(t, d.asked, 2)
				asked := d.asked
				h.Memset32(b, 7, 16, s)
				h.copy(b, h.MemAlloc(64, 0, false), s)
				h.freed(b)
				require.Equal(t, asked, d.asked, "blocks of the library's own need no question")
				h.requireSilence(t)
			}
		})
	}
}

// The program expects a kernel's output when a free has returned.
func TestAFreeWaitsOnceTheProgramHasAKernelThatPrints(t *testing.T) {
	image, err := os.ReadFile("../internal/codeobj/testdata/hostcall.hsaco")
	require.NoError(t, err)
	for name, waits := range map[string]uint64{"may": 0, "asks": 1} {
		h, _ := overPlaces(nil)
		s, b := h.StreamCreate(), h.MemAlloc(64, 0, false)
		m := h.ModuleLoad(addressOf(image))
		require.NotZero(t, h.ModuleGetFunction(m, addressOf([]byte(name+"\x00"))))
		launchOn(h, s)
		require.Equal(t, waits, h.freed(b), name)
		h.requireSilence(t)
	}
}

// twoPlaces has two devices.
type twoPlaces struct {
	*places
	current int
}

func (d *twoPlaces) DeviceCount() int           { return 2 }
func (d *twoPlaces) Device() (int, error)       { return d.current, nil }
func (d *twoPlaces) SetDevice(device int) error { d.current = device; return nil }

// A free waits for its block's device, so it does not query the addresses of another device's copies.
func TestAFreeDoesNotAskWhereCopiesOfAnotherDeviceGo(t *testing.T) {
	_, d := overPlaces(func(driver.Ptr) bool { return true })
	h := over(&twoPlaces{places: d}, Config{FastPath: &fastPath{}})
	first, a, also := h.StreamCreate(), h.MemAlloc(64, 0, false), h.MemAlloc(64, 0, false)
	h.SetDefaultDevice(1)
	b := h.MemAlloc(64, 0, false)
	h.copy(aHostBuffer, a, first)
	require.Zero(t, h.freed(b))
	require.Zero(t, d.asked)
	require.EqualValues(t, 1, h.freed(a), "the copy's own device")
	require.Equal(t, 1, d.asked)
	h.copy(aHostBuffer, also, first)
	require.EqualValues(t, 2, h.freed(also))
	h.requireSilence(t)
}

// The program may page-lock memory between two copies to it.
func TestAnAddressIsAskedForAgainAfterEachCopy(t *testing.T) {
	locked := false
	h, _ := overPlaces(func(driver.Ptr) bool { return locked })
	s := h.StreamCreate()
	for range 3 {
		b := h.MemAlloc(64, 0, false)
		h.copy(aHostBuffer, b, s)
		require.Zero(t, h.freed(b))
	}
	locked = true
	b := h.MemAlloc(64, 0, false)
	h.copy(aHostBuffer, b, s)
	require.EqualValues(t, 1, h.freed(b))
}

func TestNoAddressOfManyIsForgotten(t *testing.T) {
	const many = 40 * addressSlots
	for _, at := range []uintptr{0, many / 2, many - 1} {
		h, d := overPlaces(func(p driver.Ptr) bool { return p == driver.Ptr(aHostBuffer+4096*at) })
		s, b := h.StreamCreate(), h.MemAlloc(64, 0, false)
		for i := range uintptr(many) {
			h.copy(aHostBuffer+4096*i, b, s)
		}
		require.EqualValues(t, 1, h.freed(b), "destination %d", at)
		require.LessOrEqual(t, d.asked, many)
	}
}
