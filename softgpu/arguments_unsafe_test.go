package softgpu

import (
	"encoding/binary"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// arguments lays out values as a C caller does: an array of pointers to them.
func arguments(t testing.TB, values ...any) uintptr {
	t.Helper()
	page, err := mapMemory(16384)
	require.NoError(t, err)
	t.Cleanup(func() { unmapMemory(page) })
	base, at := addressOf(page), 4096
	for i, v := range values {
		binary.LittleEndian.PutUint64(page[8*i:], uint64(base)+uint64(at))
		switch v := v.(type) {
		case driver.Ptr:
			binary.LittleEndian.PutUint64(page[at:], uint64(v))
		case uint32:
			binary.LittleEndian.PutUint32(page[at:], v)
		case []byte:
			copy(page[at:], v)
		default:
			require.Failf(t, "argument", "%T", v)
		}
		at += 256
	}
	return base
}

// buffer allocates n elements of device memory and shows them to the test.
func buffer[T byte | uint16 | uint32 | uint64 | float32 | float64](t testing.TB, d *Driver, n int) (driver.Ptr, []T) {
	t.Helper()
	var zero T
	p, err := d.MemAlloc(uint64(n) * uint64(unsafe.Sizeof(zero)))
	require.NoError(t, err)
	return p, elements[T](uintptr(p), n)
}

// elements is n values at addr. Inlined, its conversion makes Go 1.26's compiler
// stop with an internal error in some callers.
//
//go:noinline
func elements[T any](addr uintptr, n int) []T { return unsafe.Slice((*T)(pointerTo(addr)), n) }

// host maps host memory that the device knows nothing of.
func host(t testing.TB, n int) (driver.Ptr, []uint32) {
	t.Helper()
	b, err := mapMemory(uint64(n) * 4)
	require.NoError(t, err)
	t.Cleanup(func() { unmapMemory(b) })
	return driver.Ptr(addressOf(b)), elements[uint32](addressOf(b), n)
}

// open lets the gate's kernel go on.
func (g gate) open() { atomic.StoreUint32(&g.opened[0], 1) }
