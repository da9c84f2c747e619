package trace

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
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

// recorder makes a recorder in a folder of the test's.
func recorder(t *testing.T, o Options) *Recorder {
	t.Helper()
	o.File, o.Process, o.Rank, o.Program = filepath.Join(t.TempDir(), "t.json"), 42, -1, "program"
	r, err := New(o)
	require.NoError(t, err)
	return r
}

func TestWhatGoRecordsIsReadBack(t *testing.T) {
	r := recorder(t, Options{})
	r.Calls([]string{"mgpuFirst", "mgpuSecond"})
	r.Driver("soft", []string{"gfx906"})
	r.Kernel(0x10, "_Z5saxpyPf")
	from := r.Now()
	r.DriverCall("MemAlloc", from)
	r.Device(&Work{Kernel: 0x10, Stream: 0x20, Submitted: from, Thread: 1, Start: from + 10, End: from + 30})
	r.Device(&Work{Kernel: 0x10, Stream: 0x20, Submitted: from, Thread: 1, Start: from + 20, End: from + 50})
	r.Push("a range")
	r.Mark("a mark")
	r.Instant(Line, "a line")
	r.Pop()
	r.Counter(MemoryLive, 0, 4096)
	file, c, err := r.Finish()
	require.NoError(t, err)
	assert.Zero(t, c.Lost)
	assert.Equal(t, 1, c.Streams)
	d, err := Load(file)
	require.NoError(t, err)
	names := map[string]int{}
	for _, e := range d.Events {
		if e.Phase != "M" {
			names[e.Phase+" "+e.Name]++
		}
	}
	assert.Equal(t, map[string]int{"X driver MemAlloc": 1, "X saxpy": 2, "X a range": 1, "i a mark": 1, "i a line": 1,
		"C memory in use of device 0": 1, "C submissions pending": 4}, names)
	assert.Equal(t, "soft", d.Other.Driver)
	lanes := map[int]bool{}
	for _, e := range d.Events {
		if e.Name == "saxpy" {
			lanes[e.Thread] = true
		}
	}
	assert.Len(t, lanes, 2, "what overlaps has a lane of its own")

	var svg bytes.Buffer
	require.NoError(t, d.Draw(&svg, Picture{}))
	for dec := xml.NewDecoder(&svg); ; {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
	}
	var text bytes.Buffer
	require.NoError(t, d.Summary(&text))
	assert.Regexp(t, `saxpy +2 +0\.000 `, text.String())
	assert.Contains(t, text.String(), "0 mgpu calls in 0.000 ms, with 1 driver calls")
}

func TestANilRecorderRecordsNothing(t *testing.T) {
	var s *Switch
	r := s.On()
	require.False(t, r.On())
	r.DriverCall("x", r.Now())
	r.Device(&Work{})
	r.Push("x")
	r.Pop()
	r.Kernel(1, "x")
	r.Outcome(Missed, "")
}

func TestManyThreadsRecordAtOnce(t *testing.T) {
	r := recorder(t, Options{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 2000 {
				r.DriverCall("MemAlloc", r.Now())
			}
		}()
	}
	wg.Wait()
	p, err := Read(r.file)
	require.NoError(t, err)
	assert.Len(t, p.records, 16000)
}

func TestTheLimitHolds(t *testing.T) {
	for _, last := range []bool{false, true} {
		r := recorder(t, Options{Limit: 4 * segmentBytes, Last: last})
		for i := range 10000 {
			r.Counter(MemoryLive, 0, uint64(i))
		}
		p, err := Read(r.file)
		require.NoError(t, err)
		assert.LessOrEqual(t, len(p.records), 4*segmentBytes/recordBytes)
		assert.GreaterOrEqual(t, len(p.records), 2*segmentBytes/recordBytes)
		assert.Equal(t, last, p.Lost == 0)
		assert.Equal(t, last, p.records[len(p.records)-1].X[2] == 9999)
	}
}

func TestATimelineTakesTheNameOfNothingElse(t *testing.T) {
	folder := t.TempDir()
	_, err := New(Options{File: folder, Process: 12})
	require.EqualError(t, err, folder+" is there, and no ordinary file")
	_, err = New(Options{File: "/dev/full", Process: 12})
	require.EqualError(t, err, "/dev/full is there, and no ordinary file")
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
	_, _, err = r.Finish()
	require.NoError(t, err)
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

func TestTimelinesAreMerged(t *testing.T) {
	load := func(process int) *Document {
		r := recorder(t, Options{})
		headerOf(r.file).Process = uint32(process)
		r.DriverCall("MemAlloc", r.Now())
		file, _, err := r.Finish()
		require.NoError(t, err)
		d, err := Load(file)
		require.NoError(t, err)
		return d
	}
	first, second, third := load(1), load(2), load(2)
	third.Other.Realtime += int64(1e15) // of a machine with another clock
	merged := Merge([]*Document{second, first, third})
	processes := map[int]bool{}
	for _, e := range merged.Events {
		processes[e.Process] = true
	}
	assert.Len(t, processes, 3)
	var b bytes.Buffer
	require.NoError(t, merged.Write(&b))
	name := filepath.Join(t.TempDir(), "merged.json")
	require.NoError(t, os.WriteFile(name, b.Bytes(), 0o600))
	again, err := Load(name)
	require.NoError(t, err)
	assert.Len(t, again.Events, len(merged.Events))
}
