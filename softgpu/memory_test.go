package softgpu

import (
	"math"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func TestBlocksOfAllSizes(t *testing.T) {
	d := open(t, Options{})
	blocks := map[driver.Ptr]uint64{}
	for _, size := range []uint64{1, 4, 255, 256, 257, 512, 4096, 32 << 10, 32<<10 + 1, 1 << 20, 3<<20 + 7} {
		for range 5 {
			p, err := d.MemAlloc(size)
			require.NoError(t, err)
			assert.Zero(t, p%256)
			for q, other := range blocks {
				assert.True(t, uint64(p)+size <= uint64(q) || uint64(q)+other <= uint64(p), "blocks overlap")
			}
			blocks[p] = size
			lo, hi, _, ok := d.heap.find(uintptr(p) + uintptr(size) - 1)
			assert.True(t, ok)
			assert.Equal(t, []uintptr{uintptr(p), uintptr(p) + uintptr(size)}, []uintptr{lo, hi})
			fill(uintptr(p), uint8(0xff), size)
		}
	}
	for p := range blocks {
		require.NoError(t, d.MemFree(p))
		assert.ErrorIs(t, d.MemFree(p), driver.InvalidValue, "freed twice")
	}
	assert.Zero(t, d.heap.used[0])
}

func TestZeroBytesAreANullPointer(t *testing.T) {
	d := open(t, Options{})
	p, err := d.MemAlloc(0)
	require.NoError(t, err)
	assert.Zero(t, p)
	require.NoError(t, d.MemFree(0))
}

func TestOutOfMemory(t *testing.T) {
	d := open(t, Options{MemoryLimit: 1 << 20})
	p, err := d.MemAlloc(1 << 20)
	require.NoError(t, err)
	for _, size := range []uint64{1, 1 << 20, 1 << 40, math.MaxInt64, math.MaxUint64} {
		_, err = d.MemAlloc(size)
		require.ErrorIs(t, err, driver.OutOfMemory, "%d bytes", size)
		assert.Contains(t, err.Error(), "'hipMalloc' failed with 'hipErrorOutOfMemory'")
	}
	require.NoError(t, d.MemFree(p))
	_, err = d.MemAllocManaged(1 << 20)
	require.NoError(t, err)

	huge := open(t, Options{MemoryLimit: math.MaxUint64})
	for _, size := range []uint64{1 << 60, math.MaxUint64} {
		_, err = huge.MemAlloc(size)
		assert.ErrorIs(t, err, driver.OutOfMemory, "%d bytes", size)
	}
}

func TestFreeOfWhatIsNoBlock(t *testing.T) {
	d := open(t, Options{})
	p, err := d.MemAlloc(1024)
	require.NoError(t, err)
	for _, bad := range []driver.Ptr{1, p + 1, p + 256, p - 4096, math.MaxUint64, 1 << 47, driver.Ptr(d.devices[0].queue)} {
		assert.ErrorIs(t, d.MemFree(bad), driver.InvalidValue, "%#x", uintptr(bad))
	}
	require.NoError(t, d.MemFree(p))
}

func TestFreeWaitsForTheDevice(t *testing.T) {
	d := open(t, Options{})
	s := newTestStream(t, d)
	g := hold(t, d, s)
	p, err := d.MemAlloc(4)
	require.NoError(t, err)
	go g.open()
	require.NoError(t, d.MemFree(p))
	idle, err := d.StreamIdle(s)
	require.NoError(t, err)
	assert.True(t, idle)
}

func TestCopiesBetweenAllKindsOfMemory(t *testing.T) {
	d := open(t, Options{})
	s := newTestStream(t, d)
	const n = 100_000
	host1, h1 := host(t, n)
	host2, h2 := host(t, n)
	pinned, pv := host(t, n)
	require.NoError(t, d.HostRegister(pinned, n*4))
	dev1, _ := buffer[uint32](t, d, n)
	dev2, v2 := buffer[uint32](t, d, n)
	for i := range h1 {
		h1[i] = uint32(i)
	}
	for _, step := range [][2]driver.Ptr{{dev1, host1}, {dev2, dev1}, {pinned, dev2}, {host2, pinned}} {
		require.NoError(t, d.Memcpy(step[0], step[1], n*4, s))
	}
	assert.Equal(t, h1, h2, "has arrived when the call returns")
	assert.Equal(t, h1, pv)
	assert.Equal(t, h1, v2)
}

func TestCopyFromPageableMemoryTakesTheSourceAtTheCall(t *testing.T) {
	d := open(t, Options{})
	s := newTestStream(t, d)
	src, sv := host(t, 4)
	dst, dv := buffer[uint32](t, d, 4)
	sv[0] = 42
	g := hold(t, d, s)
	for _, on := range []driver.Stream{s, 0} {
		require.NoError(t, d.Memcpy(dst, src, 8, on))
	}
	sv[0] = 1
	assert.Zero(t, dv[0], "comes after the earlier work")
	g.open()
	require.NoError(t, d.StreamSynchronize(0))
	assert.Equal(t, uint32(42), dv[0])
}

func TestCopiesWithBadPointersAreErrors(t *testing.T) {
	d := open(t, Options{})
	p, err := d.MemAlloc(64)
	require.NoError(t, err)
	h, _ := host(t, 1024)
	gone, err := mapMemory(4096)
	require.NoError(t, err)
	defer unmapMemory(gone)
	require.NoError(t, syscall.Mprotect(gone, syscall.PROT_NONE))
	at := driver.Ptr(addressOf(gone))
	s := newTestStream(t, d)
	for name, c := range map[string]struct {
		dst, src driver.Ptr
		bytes    uint64
	}{
		"null destination":    {0, p, 4},
		"null source":         {p, 0, 4},
		"wild destination":    {8, p, 4},
		"wild source":         {p, 8, 4},
		"unmapped":            {p, at, 4},
		"past a block":        {p, h, 65},
		"in a block's tail":   {p + 60, h, 8},
		"beside a block":      {p + 64, h, 4},
		"round the end":       {p, math.MaxUint64 - 3, 64},
		"more than there is":  {h, p, math.MaxUint64},
		"device's own memory": {driver.Ptr(d.devices[0].queue), h, 4},
		"past host's memory":  {p, h + 4096 - 4, math.MaxUint32},
	} {
		t.Run(name, func(t *testing.T) {
			err := d.Memcpy(c.dst, c.src, c.bytes, s)
			require.ErrorIs(t, err, driver.InvalidValue)
			assert.Contains(t, err.Error(), "'hipMemcpyAsync' failed with 'hipErrorInvalidValue': ")
			require.NoError(t, d.StreamSynchronize(s))
		})
	}
	require.NoError(t, d.Memcpy(0, 0, 0, s))
}

func TestMemsetCountsElements(t *testing.T) {
	d := open(t, Options{})
	p, v := buffer[uint32](t, d, 8)
	require.NoError(t, d.Memset32(p, 0x01020304, 3, 0))
	require.NoError(t, d.Memset16(p+16, 0x0506, 3, 0))
	require.NoError(t, d.StreamSynchronize(0))
	assert.Equal(t, []uint32{0x01020304, 0x01020304, 0x01020304, 0, 0x05060506, 0x0506, 0, 0}, v)

	h, hv := host(t, 2)
	require.NoError(t, d.Memset32(h, 7, 1, 0))
	assert.Equal(t, []uint32{7, 0}, hv)

	for _, count := range []uint64{9, 1 << 40, math.MaxUint64, math.MaxUint64 / 4} {
		assert.ErrorIs(t, d.Memset32(p, 0, count, 0), driver.InvalidValue, "%d elements", count)
	}
	assert.ErrorIs(t, d.Memset32(16, 0, 1, 0), driver.InvalidValue)
	assert.ErrorIs(t, d.Memset16(0, 0, 1, 0), driver.InvalidValue)
	assert.ErrorIs(t, d.Memset16(p, 0, 1, 77), driver.InvalidHandle)
}

func TestHostRegistration(t *testing.T) {
	d := open(t, Options{})
	h, _ := host(t, 1024)
	require.NoError(t, d.HostRegister(h, 4096))
	err := d.HostRegister(h+64, 64)
	require.ErrorIs(t, err, driver.InvalidValue)
	assert.Contains(t, err.Error(), "hipErrorHostMemoryAlreadyRegistered")
	q, err := d.HostDevicePointer(h + 8)
	require.NoError(t, err)
	assert.Equal(t, h+8, q)
	require.NoError(t, d.HostUnregister(h))
	assert.Error(t, d.HostUnregister(h))
	_, err = d.HostDevicePointer(h)
	assert.Error(t, err)
	for _, bad := range []struct {
		p     driver.Ptr
		bytes uint64
	}{{0, 4096}, {h, 0}, {16, 16}, {h, math.MaxUint64}, {math.MaxUint64 - 1, 16}} {
		assert.ErrorIs(t, d.HostRegister(bad.p, bad.bytes), driver.InvalidValue, "%v", bad)
	}
	assert.ErrorContains(t, d.HostRegister(0, 1), "'hipHostRegister' failed with 'hipErrorInvalidValue': null pointer")
}
