package mgpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// extents is a driver that knows the sizes of its allocations. The program may free and allocate its memory without the
// library.
type extents struct {
	*capturing
	size   map[driver.Ptr]uint64
	asked  int
	failed int
}

func (d *extents) MemAlloc(bytes uint64) (driver.Ptr, error) {
	p, err := d.capturing.MemAlloc(bytes)
	d.size[p] = bytes
	return p, err
}

func (d *extents) MemFree(p driver.Ptr) error {
	if d.size[p] == 0 {
		return &driver.Error{Call: "free", Code: driver.InvalidValue, Detail: "nothing there"}
	}
	delete(d.size, p)
	return nil
}

// WaitFree makes the free that C would make.
func (d *extents) WaitFree(p driver.Ptr) driver.Blocking {
	if d.MemFree(p) != nil {
		d.failed++
	}
	return driver.Blocking{}
}

func (d *extents) ExtentOf(p driver.Ptr) (driver.Ptr, uint64, error) {
	d.asked++
	for base, size := range d.size {
		if p >= base && p-base < driver.Ptr(size) {
			return base, size, nil
		}
	}
	return 0, 0, &driver.Error{Call: "extent", Code: driver.NotFound}
}

func overExtents(c Config) (*host, *extents) {
	d := &extents{capturing: &capturing{Driver: null.Open(null.Options{})}, size: map[driver.Ptr]uint64{}}
	return over(d, c), d
}

// replace replaces the allocation p by one of another size.
func (d *extents) replace(p uintptr, bytes uint64) {
	delete(d.size, driver.Ptr(p))
	d.size[driver.Ptr(p)] = bytes
}

const wide, narrow = 1 << 20, 4096

func TestABlockIsAskedAboutWhenItIsFreedFirst(t *testing.T) {
	h, d := overExtents(Config{})
	p := h.MemAlloc(wide, 0, false)
	for range 5 {
		h.MemFree(p)
		require.Equal(t, p, h.MemAlloc(wide, 0, false))
	}
	require.Equal(t, 1, d.asked)
	q := h.MemAlloc(wide, 0, false)
	d.replace(q, narrow)
	h.MemFree(q)
	require.NotContains(t, d.size, driver.Ptr(q), "the driver has freed what was there")
	require.NotEqual(t, q, h.MemAlloc(wide, 0, false))
	h.requireSilence(t)
}

func TestAllFreesAskOnceTheProgramIsSeenToMixThem(t *testing.T) {
	for name, mixes := range map[string]func(h *host, d *extents){
		"it frees memory that is not the library's": func(h *host, d *extents) {
			d.size[0x7000] = narrow
			h.MemFree(0x7000)
			require.NotContains(t, d.size, driver.Ptr(0x7000))
		},
		"it has freed a block": func(h *host, d *extents) {
			p := h.MemAlloc(narrow, 0, false)
			d.replace(p, 64)
			h.MemFree(p)
		},
		"it frees what lies where a block was": func(h *host, d *extents) {
			p := h.MemAlloc(wide, 0, false)
			delete(d.size, driver.Ptr(p))
			d.size[driver.Ptr(p+narrow)] = narrow
			h.MemFree(p + narrow)
			require.NotContains(t, d.size, driver.Ptr(p+narrow))
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, d := overExtents(Config{})
			p := h.MemAlloc(wide, 0, false)
			h.MemFree(p)
			require.Equal(t, p, h.MemAlloc(wide, 0, false))
			mixes(h, d)
			d.replace(p, narrow)
			h.MemFree(p)
			require.NotContains(t, d.size, driver.Ptr(p))
			require.NotEqual(t, p, h.MemAlloc(wide, 0, false))
			h.requireSilence(t)
		})
	}
}

func TestAFreeInsideABlockIsStillAMistake(t *testing.T) {
	h, d := overExtents(Config{})
	p := h.MemAlloc(wide, 0, false)
	h.MemFree(p + narrow)
	require.Contains(t, d.size, driver.Ptr(p))
	require.Len(t, h.lines(), 1)
}

func TestWithChecksEveryBlockThatTheProgramFreedIsTold(t *testing.T) {
	var lines []string
	h, d := overExtents(Config{CheckFrees: func(line string) { lines = append(lines, line) }})
	p := h.MemAlloc(wide, 0, false)
	for range 3 {
		h.MemFree(p)
		require.Equal(t, p, h.MemAlloc(wide, 0, false))
	}
	require.Equal(t, 3, d.asked)
	d.replace(p, narrow)
	h.MemFree(p)
	require.Len(t, lines, 1)
	require.Regexp(t, `^mgpu check: leak: the block of 1048576 bytes at 0x[0-9a-f]+ was freed by another call than mgpuMemFree: 4096 bytes are there now$`, lines[0])
	h.requireSilence(t)
}
