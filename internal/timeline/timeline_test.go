package timeline

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/trace"
)

// recordsOf ends a recording and returns its file.
func recordsOf(t testing.TB, r *trace.Recorder) []byte {
	t.Helper()
	end := r.Finish()
	records, err := os.ReadFile(end.File)
	require.NoError(t, err)
	require.Len(t, records, int(end.Bytes))
	return records
}

// recorder makes a recorder in a folder of the test's.
func recorder(t *testing.T, o trace.Options) *trace.Recorder {
	t.Helper()
	o.File, o.Process, o.Rank, o.Program = filepath.Join(t.TempDir(), "t.json"), max(o.Process, 42), -1, "program"
	r, err := trace.New(o)
	require.NoError(t, err)
	return r
}

func TestWhatGoRecordsIsReadBack(t *testing.T) {
	r := recorder(t, trace.Options{})
	r.Calls([]string{"mgpuFirst", "mgpuSecond"})
	r.Driver("soft", []string{"gfx906"})
	r.Kernel(0x10, "_Z5saxpyPf")
	from := r.Now()
	r.DriverCall("MemAlloc", from)
	r.Device(&trace.Work{Kernel: 0x10, Stream: 0x20, Submitted: from, Thread: 1, Start: from + 10, End: from + 30})
	r.Device(&trace.Work{Kernel: 0x10, Stream: 0x20, Submitted: from, Thread: 1, Start: from + 20, End: from + 50})
	r.Push("a range")
	r.Mark("a mark")
	r.Instant(trace.Line, "a line")
	r.Pop()
	r.Counter(trace.MemoryLive, 0, 4096)
	end := r.Finish()
	file := strings.TrimSuffix(end.File, trace.PartSuffix)
	fromRecords, err := Load(file)
	require.NoError(t, err)
	p, err := ReadFile(end.File)
	require.NoError(t, err)
	assert.Zero(t, p.CutAt, "the file is cut where the records end")
	c, err := WriteFile(NewTimeline(p), file)
	require.NoError(t, err)
	assert.Zero(t, c.Lost)
	assert.Equal(t, 1, c.Streams)
	d, err := Load(file)
	require.NoError(t, err)
	assert.Equal(t, d, fromRecords)
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
	for _, text := range []string{">kernel<", ">driver call<", ">range of the program<", "<title>saxpy, ", ` textLength="`} {
		assert.Contains(t, svg.String(), text)
	}
	assert.NotContains(t, svg.String(), ">copy<", "the legend has what there is")
	assert.Less(t, strings.Index(svg.String(), "<line"), strings.Index(svg.String(), "<title>"), "the grid is below the slices")
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

func TestManyThreadsRecordAtOnce(t *testing.T) {
	r := recorder(t, trace.Options{})
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
	p, err := readPart(recordsOf(t, r))
	require.NoError(t, err)
	assert.Len(t, p.records, 16000)
}

func TestTheLimitHolds(t *testing.T) {
	for _, last := range []bool{false, true} {
		r := recorder(t, trace.Options{Limit: 4 * trace.SegmentBytes, Last: last})
		for i := range 10000 {
			r.Counter(trace.MemoryLive, 0, uint64(i))
		}
		p, err := readPart(recordsOf(t, r))
		require.NoError(t, err)
		assert.LessOrEqual(t, len(p.records), 4*trace.SegmentBytes/trace.RecordBytes)
		assert.GreaterOrEqual(t, len(p.records), 2*trace.SegmentBytes/trace.RecordBytes)
		assert.Equal(t, last, p.Lost == 0)
		assert.Equal(t, last, p.records[len(p.records)-1].X[2] == 9999)
	}
}

func TestTimelinesAreMerged(t *testing.T) {
	load := func(process int) *Document {
		r := recorder(t, trace.Options{Process: 42 + process})
		r.DriverCall("MemAlloc", r.Now())
		d, err := Load(r.Finish().File)
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

// readPart is ReadFile for the contents of a file.
func readPart(file []byte) (*Part, error) {
	if err := check(file[:min(len(file), trace.HeaderBytes)], uint64(len(file))); err != nil {
		return nil, err
	}
	return parse(file, uint64(len(file))), nil
}
