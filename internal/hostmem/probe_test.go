package hostmem

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// eightKinds maps eight pages: page 2 is read-only, page 5 is protected, page 7 is not there.
func eightKinds(t *testing.T) []byte {
	t.Helper()
	b := pages(t, 8)
	require.NoError(t, syscall.Mprotect(b[2*pageSize:3*pageSize], syscall.PROT_READ))
	require.NoError(t, syscall.Mprotect(b[5*pageSize:6*pageSize], syscall.PROT_NONE))
	require.NoError(t, unmap(b[7*pageSize:]))
	return b
}

func TestProbesAndSnapshotsAgree(t *testing.T) {
	b := eightKinds(t)
	m := snapshot(t)
	for page := range 8 {
		for _, write := range []bool{false, true} {
			addr := addressOf(b) + uintptr(page*pageSize) + 5
			_, wantHi, wantOK := m.Window(addr, write)
			lo, hi, ok := Probe(addr, write)
			require.Equal(t, wantOK, ok, "page %d, write %v", page, write)
			if ok {
				assert.Equal(t, addr-5, lo)
				assert.Equal(t, wantHi, hi, "page %d, write %v", page, write)
			}
		}
	}
}

func TestAProbeLooksSomeWay(t *testing.T) {
	b := pages(t, 3*mostPages)
	lo, hi, ok := Probe(addressOf(b)+uintptr(pageSize), true)
	require.True(t, ok)
	assert.Equal(t, addressOf(b)+uintptr(pageSize), lo)
	assert.Equal(t, lo+uintptr(mostPages*pageSize), hi)
}

func TestProbesChangeNothing(t *testing.T) {
	b := pages(t, 2)
	for i := range b {
		b[i] = byte(i * 7)
	}
	_, _, ok := Probe(addressOf(b), true)
	require.True(t, ok)
	for i := range b {
		require.Equal(t, byte(i*7), b[i])
	}
}

func TestProbesOfNothing(t *testing.T) {
	for _, addr := range []uintptr{0, 100, 1 << 46, 1 << 60, ^uintptr(0)} {
		for _, write := range []bool{false, true} {
			_, _, ok := Probe(addr, write)
			assert.False(t, ok, "%#x", addr)
			assert.Zero(t, Reach(addr, 100, write), "%#x", addr)
		}
	}
}

func TestReachTellsHowFar(t *testing.T) {
	reach := func(t *testing.T) {
		b := eightKinds(t)
		page := uint64(pageSize)
		for _, c := range []struct {
			at, bytes, read, write uint64
		}{
			{3, 0, 0, 0},
			{3, 10, 10, 10},
			{3, 2*page - 3, 2*page - 3, 2*page - 3},
			{3, 4 * page, 4 * page, 2*page - 3},
			{3, 8 * page, 5*page - 3, 2*page - 3},
			{2 * page, 8 * page, 3 * page, 0},
			{6*page + 9, page, page - 9, page - 9},
		} {
			assert.Equal(t, c.read, Reach(addressOf(b)+uintptr(c.at), c.bytes, false), c)
			assert.Equal(t, c.write, Reach(addressOf(b)+uintptr(c.at), c.bytes, true), c)
		}
	}
	t.Run("maps", reach)
	t.Run("probes", func(t *testing.T) { withoutProc(t, reach) })
}

func TestMemoryBehindTheEndOfAFileIsNotWritable(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "short")
	require.NoError(t, err)
	defer f.Close()
	_, err = f.Write([]byte("abc"))
	require.NoError(t, err)
	b, err := syscall.Mmap(int(f.Fd()), 0, 2*pageSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	require.NoError(t, err)
	defer syscall.Munmap(b)
	assert.EqualValues(t, pageSize, probe(addressOf(b), uint64(2*pageSize), true))
}

func BenchmarkProbe(b *testing.B) {
	p, err := syscall.Mmap(-1, 0, 1<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(b, err)
	defer syscall.Munmap(p)
	for b.Loop() {
		Probe(addressOf(p), true)
	}
}
