package hostmem

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pages maps n fresh anonymous pages, filled with their own page number plus one.
func pages(t *testing.T, n int) []byte {
	t.Helper()
	b, err := syscall.Mmap(-1, 0, n*pageSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	t.Cleanup(func() { _ = syscall.Munmap(b) })
	for i := range b {
		b[i] = byte(i/pageSize + 1)
	}
	return b
}

// ways runs a test with each of the ways that Read has.
func ways(t *testing.T, f func(t *testing.T)) {
	t.Run("process_vm_readv", f)
	t.Run("maps", func(t *testing.T) {
		vmReadvRefused.Store(true)
		defer vmReadvRefused.Store(false)
		f(t)
	})
	t.Run("probes", func(t *testing.T) {
		vmReadvRefused.Store(true)
		defer vmReadvRefused.Store(false)
		withoutProc(t, f)
	})
}

// withoutProc runs a test that finds no /proc.
func withoutProc(t *testing.T, f func(t *testing.T)) {
	before := proc
	defer func() { proc = before }()
	proc = filepath.Join(t.TempDir(), "empty") + "/"
	f(t)
}

func TestReadCopiesAcrossPages(t *testing.T) {
	ways(t, func(t *testing.T) {
		b := pages(t, 3)
		got := make([]byte, 2*pageSize+5)
		require.NoError(t, Read(got, addressOf(b)+uintptr(pageSize)-7))
		assert.Equal(t, b[pageSize-7:][:len(got)], got)
	})
}

func TestReadOfNothingNeedsNoMemory(t *testing.T) {
	ways(t, func(t *testing.T) { require.NoError(t, Read(nil, 1)) })
}

func TestReadTellsHowMuchIsReadable(t *testing.T) {
	ways(t, func(t *testing.T) {
		for _, bad := range []struct {
			name string
			make func(b []byte) error
		}{
			{"protected", func(b []byte) error { return syscall.Mprotect(b, syscall.PROT_NONE) }},
			{"unmapped", func(b []byte) error { return unmap(b) }},
		} {
			t.Run(bad.name, func(t *testing.T) {
				for _, hole := range []int{1, 4, 7} {
					b := pages(t, 9)
					base := addressOf(b)
					require.NoError(t, bad.make(b[hole*pageSize:(hole+1)*pageSize]))
					for _, start := range []int{0, 1, pageSize - 1} {
						got := make([]byte, 9*pageSize-start)
						err := Read(got, base+uintptr(start))
						var fault *Fault
						require.ErrorAs(t, err, &fault)
						assert.Equal(t, Fault{Addr: base + uintptr(start), Size: len(got), Readable: hole*pageSize - start, Err: fault.Err}, *fault)
						assert.ErrorIs(t, err, syscall.EFAULT)
						assert.Equal(t, b[start:hole*pageSize], got[:fault.Readable])
					}
					var one [1]byte
					assert.Error(t, Read(one[:], base+uintptr(hole*pageSize)))
					assert.NoError(t, Read(one[:], base+uintptr((hole+1)*pageSize)))
				}
			})
		}
	})
}

func TestReadOfWildAddressesFails(t *testing.T) {
	ways(t, func(t *testing.T) {
		for _, addr := range []uintptr{0, 1, 0xfff, 1 << 47, 1 << 63, ^uintptr(0) - 4, ^uintptr(0)} {
			err := Read(make([]byte, 64), addr)
			var fault *Fault
			require.ErrorAs(t, err, &fault, "%#x", addr)
			assert.Equal(t, addr, fault.Addr)
			assert.Zero(t, fault.Readable)
		}
	})
}

func TestReadBehindTheEndOfAFileFails(t *testing.T) {
	ways(t, func(t *testing.T) {
		f, err := os.CreateTemp(t.TempDir(), "short")
		require.NoError(t, err)
		defer f.Close()
		_, err = f.Write([]byte("abc"))
		require.NoError(t, err)
		b, err := syscall.Mmap(int(f.Fd()), 0, 2*pageSize, syscall.PROT_READ, syscall.MAP_SHARED)
		require.NoError(t, err)
		defer syscall.Munmap(b)
		got := make([]byte, 2*pageSize)
		var fault *Fault
		require.ErrorAs(t, Read(got, addressOf(b)), &fault)
		assert.Equal(t, pageSize, fault.Readable)
		assert.Equal(t, "abc", string(got[:3]))
	})
}

func TestReadUint64(t *testing.T) {
	b := pages(t, 2)
	v, err := ReadUint64(addressOf(b) + uintptr(pageSize) - 4)
	require.NoError(t, err)
	assert.Equal(t, uint64(0x0202020201010101), v)
	require.NoError(t, syscall.Mprotect(b[pageSize:], syscall.PROT_NONE))
	_, err = ReadUint64(addressOf(b) + uintptr(pageSize) - 4)
	var fault *Fault
	require.ErrorAs(t, err, &fault)
	assert.Equal(t, 4, fault.Readable)
}

func TestReadDoesNotAllocate(t *testing.T) {
	b := pages(t, 1)
	dst, addr := make([]byte, 64), addressOf(b)
	assert.Zero(t, testing.AllocsPerRun(100, func() { _ = Read(dst, addr) }))
}

func BenchmarkRead64(bm *testing.B) {
	src, dst := make([]byte, 64), make([]byte, 64)
	for bm.Loop() {
		_ = Read(dst, addressOf(src))
	}
}
