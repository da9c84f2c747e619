package hostmem

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func needQuery(t testing.TB) {
	t.Helper()
	if _, _, _, err := Window(0, false); err != nil {
		t.Skip(err)
	}
}

func TestQueriesAndSnapshotsAgree(t *testing.T) {
	needQuery(t)
	b := pages(t, 8)
	require.NoError(t, syscall.Mprotect(b[:pageSize], syscall.PROT_NONE))
	require.NoError(t, syscall.Mprotect(b[2*pageSize:3*pageSize], syscall.PROT_READ))
	require.NoError(t, syscall.Mprotect(b[5*pageSize:6*pageSize], syscall.PROT_NONE))
	require.NoError(t, unmap(b[7*pageSize:]))
	m := snapshot(t)
	type answer struct {
		lo, hi uintptr
		ok     bool
	}
	for page := range 8 {
		for _, write := range []bool{false, true} {
			addr := addressOf(b) + uintptr(page*pageSize) + 5
			var got, want answer
			var err error
			got.lo, got.hi, got.ok, err = Window(addr, write)
			require.NoError(t, err)
			want.lo, want.hi, want.ok = m.Window(addr, write)
			assert.Equal(t, want, got, "page %d, write %v", page, write)
		}
	}
}

func TestQueriesSeeChangesAtOnce(t *testing.T) {
	needQuery(t)
	b := pages(t, 2)
	_, _, ok, err := Window(addressOf(b), true)
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, syscall.Mprotect(b, syscall.PROT_READ))
	_, _, ok, err = Window(addressOf(b), true)
	require.NoError(t, err)
	assert.False(t, ok)
	_, _, ok, err = Window(addressOf(b), false)
	require.NoError(t, err)
	assert.True(t, ok)
}

func TestQueriesOfNothing(t *testing.T) {
	needQuery(t)
	for _, addr := range []uintptr{0, 100, 1 << 46, 1 << 60, ^uintptr(0)} {
		_, _, ok, err := Window(addr, false)
		require.NoError(t, err)
		assert.False(t, ok, "%#x", addr)
	}
}

func BenchmarkQuery(b *testing.B) {
	needQuery(b)
	p, err := syscall.Mmap(-1, 0, pageSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		b.Fatal(err)
	}
	defer syscall.Munmap(p)
	for b.Loop() {
		_, _, _, _ = Window(addressOf(p), true)
	}
}
