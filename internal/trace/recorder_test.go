package trace

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNamesOfFiles(t *testing.T) {
	env := func(name string) string { return map[string]string{"JOB": "a/b"}[name] }
	alone := Names{Process: 7, Rank: -1, Host: "box", Getenv: env}
	ranked := Names{Process: 7, Rank: 3, Host: "box", Getenv: env}
	for pattern, want := range map[string][2]string{
		"t.json":             {"t.json", "t.3.json"},
		"t":                  {"t", "t.3"},
		"d.d/t.json":         {"d.d/t.json", "d.d/t.3.json"},
		"%p.json":            {"7.json", "7.json"},
		"%h-%r.json":         {"box-0.json", "box-3.json"},
		"%env{JOB}%%%x.json": {"a_b%%x.json", "a_b%%x.3.json"},
		"%env{JOB":           {"%env{JOB", "%env{JOB.3"},
		"100%":               {"100%", "100%.3"},
	} {
		assert.Equal(t, want[0], alone.File(pattern), pattern)
		assert.Equal(t, want[1], ranked.File(pattern), pattern)
	}
}

func TestANilRecorderRecordsNothing(t *testing.T) {
	var s *Switch
	r := s.On()
	require.Nil(t, r)
	r.DriverCall("x", r.Now())
	r.Device(&Work{})
	r.Push("x")
	r.Pop()
	r.Kernel(1, "x")
	r.Outcome(Missed, "")
}

func TestATimelineTakesTheNameOfNothingElse(t *testing.T) {
	folder := t.TempDir()
	_, err := New(Options{File: folder, Process: 12})
	require.EqualError(t, err, folder+" exists and is not a regular file")
	_, err = New(Options{File: "/dev/full", Process: 12})
	require.EqualError(t, err, "/dev/full exists and is not a regular file")
	left, err := filepath.Glob(folder + "*12*")
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestAProcessWithoutStandardInputIsRecorded(t *testing.T) {
	input, err := syscall.Dup(0)
	require.NoError(t, err)
	require.NoError(t, syscall.Close(0))
	r, err := New(Options{File: filepath.Join(t.TempDir(), "t.json")})
	require.NoError(t, syscall.Dup2(input, 0))
	require.NoError(t, syscall.Close(input))
	require.NoError(t, err)
	end := r.Finish()
	info, err := os.Stat(end.File)
	require.NoError(t, err)
	require.EqualValues(t, end.Bytes, info.Size())
	require.EqualValues(t, HeaderBytes+TextBytes, end.Bytes, "no records")
}

func TestAFullDiskIsCalledThat(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "empty"))
	require.NoError(t, err)
	defer file.Close()
	pages, err := syscall.Mmap(int(file.Fd()), 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	require.NoError(t, err)
	defer func() { require.NoError(t, syscall.Munmap(pages)) }()
	require.Contains(t, []error{syscall.ENOSPC, syscall.EINVAL}, populate(pages), "EINVAL: Linux before 5.14, where New reserves the room")
}
