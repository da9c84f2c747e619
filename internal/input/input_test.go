package input

import (
	"debug/elf"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	pipe, regular := filepath.Join(dir, "pipe"), filepath.Join(dir, "file")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	require.NoError(t, os.WriteFile(regular, []byte("text"), 0o600))
	for name, says := range map[string]string{pipe: "is a pipe, not a file", "/dev/zero": "is a device, not a file", dir: "is a directory"} {
		_, err := Open(name)
		require.EqualError(t, err, "open "+name+": "+says)
	}
	writer, err := os.OpenFile(pipe, os.O_RDWR, 0) // a writer that does not write
	require.NoError(t, err)
	defer writer.Close()
	_, err = Open(pipe)
	require.ErrorContains(t, err, "is a pipe")
	_, err = Open(filepath.Join(dir, "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
	f, err := Open(regular)
	require.NoError(t, err)
	defer f.Close()
	text, err := ReadAll(f, 4)
	require.NoError(t, err)
	assert.Equal(t, "text", string(text))
	_, err = ReadAll(f, 3)
	require.EqualError(t, err, "it has 0 MiB, more than the 0 that are read")
}

func TestTablesOfAnELFFileAreReadUpToABound(t *testing.T) {
	self, err := os.ReadFile("/proc/self/exe")
	require.NoError(t, err)
	large := filepath.Join(t.TempDir(), "large")
	require.NoError(t, os.WriteFile(large, self, 0o600))
	e, err := OpenELF(large)
	require.NoError(t, err)
	text := e.File.Section(".text")
	whole, err := e.Section(".text", text.Size)
	require.NoError(t, err)
	require.Len(t, whole, int(text.Size))
	_, err = e.Section(".text", text.Size-1)
	require.ErrorContains(t, err, "section .text has ")
	none, err := e.Section(".none", 1)
	require.NoError(t, err)
	require.Nil(t, none)
	require.NoError(t, e.Close())

	// The table of sections' names is said to be the rest of a file that is far longer.
	require.NoError(t, os.Truncate(large, 8<<30))
	f, err := os.OpenFile(large, os.O_RDWR, 0)
	require.NoError(t, err)
	defer f.Close()
	header, names := make([]byte, 64), make([]byte, 8)
	_, err = f.ReadAt(header, 0)
	require.NoError(t, err)
	at := int64(le(header[40:], 8)) + int64(le(header[62:], 2))*int64(le(header[58:], 2))
	copy(names, []byte{0, 0, 0, 0, 2, 0, 0, 0}) // 8 GiB
	_, err = f.WriteAt(names, at+32)
	require.NoError(t, err)
	_, err = OpenELF(large)
	require.ErrorContains(t, err, "its tables have more than 256 MiB")
}

func TestAnELFFileThatIsCutOffIsToldFromOthers(t *testing.T) {
	self, err := os.ReadFile("/proc/self/exe")
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "file")
	for text, says := range map[string]string{
		"": "", "\x7fEL": "", "#!/bin/sh\n": "", string(self[:4]): "the file ends before its ELF tables do", string(self[:5000]): "the file ends before its ELF tables do",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		_, err := OpenELF(name)
		if says != "" {
			require.EqualError(t, err, says)
		} else {
			require.ErrorAs(t, err, new(*elf.FormatError), "%q", text)
		}
	}
}

// le is a little-endian number.
func le(b []byte, bytes int) (n uint64) {
	for i := range bytes {
		n |= uint64(b[i]) << (8 * i)
	}
	return n
}

func TestMemoryIsWhatLimitsLeave(t *testing.T) {
	require.Greater(t, Memory(), uint64(1<<28))
	container := filepath.Join(t.TempDir(), "memory.max")
	limits := map[int]uint64{syscall.RLIMIT_AS: 1 << 40, syscall.RLIMIT_DATA: 1 << 40}
	left := func() uint64 {
		return within(8<<30, func(kind int, l *syscall.Rlimit) error { l.Cur = limits[kind]; return nil }, container)
	}
	assert.Equal(t, uint64(8<<30), left())
	require.NoError(t, os.WriteFile(container, []byte("max\n"), 0o600))
	assert.Equal(t, uint64(8<<30), left())
	limits[syscall.RLIMIT_DATA] = 4 << 30
	assert.Equal(t, uint64(4<<30), left())
	limits[syscall.RLIMIT_AS] = 3 << 30
	assert.Equal(t, uint64(3<<30), left())
	require.NoError(t, os.WriteFile(container, []byte("1073741824\n"), 0o600))
	assert.Equal(t, uint64(1<<30), left())
}
