package hostmem

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func snapshot(t *testing.T) *Map {
	t.Helper()
	m, err := Snapshot()
	require.NoError(t, err)
	return m
}

func TestFindTellsPermissionsAndPath(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a file with blanks")
	require.NoError(t, os.WriteFile(name, make([]byte, 2*pageSize), 0o600))
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	require.NoError(t, err)
	defer f.Close()
	b, err := syscall.Mmap(int(f.Fd()), 0, 2*pageSize, syscall.PROT_READ, syscall.MAP_SHARED)
	require.NoError(t, err)
	defer syscall.Munmap(b)

	r, ok := snapshot(t).Find(addressOf(b) + uintptr(pageSize) + 1)
	require.True(t, ok)
	assert.Equal(t, Region{Lo: addressOf(b), Hi: addressOf(b) + uintptr(2*pageSize), Read: true, Path: name}, r)
}

func TestFindOutsideEveryRegion(t *testing.T) {
	m := snapshot(t)
	for _, addr := range []uintptr{0, 100, 1 << 46, 1 << 60} {
		_, ok := m.Find(addr)
		assert.False(t, ok, "%#x", addr)
	}
}

func TestWindowMergesWhatMayBeUsedAlike(t *testing.T) {
	b := pages(t, 8)
	lo, page := addressOf(b), uintptr(pageSize)
	require.NoError(t, syscall.Mprotect(b[2*pageSize:3*pageSize], syscall.PROT_READ))
	require.NoError(t, syscall.Mprotect(b[5*pageSize:6*pageSize], syscall.PROT_NONE))
	require.NoError(t, unmap(b[7*pageSize:]))
	m := snapshot(t)

	readLo, readHi, ok := m.Window(lo+3*page, false)
	require.True(t, ok)
	assert.LessOrEqual(t, readLo, lo)
	assert.Equal(t, lo+5*page, readHi)

	writeLo, writeHi, ok := m.Window(lo+3*page, true)
	require.True(t, ok)
	assert.Equal(t, lo+3*page, writeLo)
	assert.Equal(t, lo+5*page, writeHi)

	_, writeHi, ok = m.Window(lo+page, true)
	require.True(t, ok)
	assert.Equal(t, lo+2*page, writeHi)

	_, _, ok = m.Window(lo+2*page, true)
	assert.False(t, ok, "read-only page")
	_, _, ok = m.Window(lo+5*page, false)
	assert.False(t, ok, "inaccessible page")
	_, _, ok = m.Window(lo+7*page, false)
	assert.False(t, ok, "unmapped page")
	_, readHi, ok = m.Window(lo+6*page, false)
	require.True(t, ok)
	assert.Equal(t, lo+7*page, readHi)
}

func TestRefreshSeesChanges(t *testing.T) {
	b := pages(t, 3)
	m := snapshot(t)
	at := addressOf(b) + uintptr(pageSize)
	_, _, ok := m.Window(at, true)
	require.True(t, ok)
	require.NoError(t, unmap(b[pageSize:2*pageSize]))
	require.NoError(t, m.Refresh())
	_, _, ok = m.Window(at, true)
	assert.False(t, ok)
}

func TestRefreshReusesItsMemory(t *testing.T) {
	m := snapshot(t)
	require.NoError(t, m.Refresh())
	assert.LessOrEqual(t, testing.AllocsPerRun(20, func() { _ = m.Refresh() }), 2.0)
}

func TestParse(t *testing.T) {
	m := &Map{text: []byte("1000-3000 r-xp 00000000 08:01 12   /lib/a b.so\n" +
		"2000-4000 rw-p 00000000 00:00 0 \n" + // overlaps the line before
		"4000-5000 rw-s 00000000 00:05 7  [x]\n" +
		"ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]")}
	require.NoError(t, m.parse())
	require.Equal(t, 4, m.Len())
	for _, want := range []Region{
		{Lo: 0x1000, Hi: 0x3000, Read: true, Exec: true, Private: true, Path: "/lib/a b.so"},
		{Lo: 0x3000, Hi: 0x4000, Read: true, Write: true, Private: true},
		{Lo: 0x4000, Hi: 0x5000, Read: true, Write: true, Path: "[x]"},
		{Lo: 0xffffffffff600000, Hi: 0xffffffffff601000, Exec: true, Private: true, Path: "[vsyscall]"},
	} {
		r, ok := m.Find(want.Hi - 1)
		require.True(t, ok)
		assert.Equal(t, want, r)
	}
	lo, hi, ok := m.Window(0x3000, false)
	assert.Equal(t, []any{uintptr(0x1000), uintptr(0x5000), true}, []any{lo, hi, ok})
	lo, hi, ok = m.Window(0x4fff, true)
	assert.Equal(t, []any{uintptr(0x3000), uintptr(0x5000), true}, []any{lo, hi, ok})
}

func TestParseRefusesOtherText(t *testing.T) {
	for _, text := range []string{"\n", "1000\n", "1000-\n", "1000-2000\n", "1000-2000 r\n", "x-y rw-p 0 0 0\n"} {
		m := &Map{text: []byte(text)}
		assert.Error(t, m.parse(), "%q", text)
		assert.Zero(t, m.Len())
	}
}

func FuzzMaps(f *testing.F) {
	f.Add([]byte("1000-3000 r-xp 00000000 08:01 12   /lib/a b.so\n"), uint64(0x1000))
	f.Fuzz(func(t *testing.T, text []byte, addr uint64) {
		m := &Map{text: text}
		if m.parse() != nil {
			return
		}
		if lo, hi, ok := m.Window(uintptr(addr), false); ok && (uintptr(addr) < lo || uintptr(addr) >= hi) {
			t.Fatalf("%#x is not in [%#x, %#x)", addr, lo, hi)
		}
		m.Find(uintptr(addr))
	})
}

func BenchmarkRefresh(b *testing.B) {
	m, err := Snapshot()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		_ = m.Refresh()
	}
	b.ReportMetric(float64(m.Len()), "regions")
}
