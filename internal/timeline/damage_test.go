package timeline

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/trace"
)

// recorded is a file with records of each kind.
func recorded(t testing.TB, driver string) []byte {
	t.Helper()
	r, err := trace.New(trace.Options{File: filepath.Join(t.TempDir(), "t.json"), Process: 42, Rank: 1, Program: "program", Limit: 5 * trace.SegmentBytes})
	require.NoError(t, err)
	names := []string{"mgpuStreamCreate", "mgpuLaunchKernel", "mgpuMemcpy", "mgpuEventRecord", "mgpuStreamWaitEvent", "mgpuEventSynchronize",
		"mgpuStreamSynchronize", "mgpuMemAlloc", "mgpuMemFree", "mgpuSetDefaultDevice", "mgpuxGraphBegin", "mgpuxGraphEnd", "mgpuxGraphLaunch"}
	r.Calls(names)
	r.Driver(driver, []string{"a", "b"})
	r.Kernel(0x10, "_Z5saxpyPf")
	r.Stream(0x20, "main")
	for i := range names {
		now := uint64(r.Now())
		r.DriverCall("driver's", int64(now))
		r.Outcome(trace.Missed, "why")
		r.Instant(trace.Note, trace.FreeWaits+": why")
		r.Counter(trace.MemoryLive, 0, 4096)
		r.Push("range")
		r.Mark("mark")
		r.Add(trace.Record{Kind: trace.TraceCall, Call: uint16(i), Thread: uint32(1 + i%2), Start: now, End: now + 100, Number: uint64(i),
			X: [6]uint64{0x10, 0x20, 64, 0x20, 0x30}})
		r.Device(&trace.Work{Kernel: 0x10, Stream: 0x20, Submitted: int64(now), Thread: 1, Graph: uint64(i % 2), Start: int64(now), End: int64(now) + 90})
	}
	records := recordsOf(t, r)
	trace.SegmentOf(records, 0).Start.Store(uint64(r.Now()))
	return records
}

// requireReadOrRefused makes of a file everything that the command makes of one.
func requireReadOrRefused(t *testing.T, file []byte) {
	t.Helper()
	p, err := readPart(file)
	if err != nil {
		return
	}
	var text bytes.Buffer
	_, err = NewTimeline(p).WriteJSON(&text)
	require.NoError(t, err)
	d := &Document{}
	require.NoError(t, json.Unmarshal(text.Bytes(), d))
	require.NoError(t, d.Summary(io.Discard))
	_ = d.Draw(io.Discard, Picture{}) // there may be nothing to draw
}

func TestDamagedFilesAreRefused(t *testing.T) {
	good := recorded(t, "soft")
	for name, c := range map[string]struct {
		damage func(file []byte) []byte
		says   string
	}{
		"empty":                  {func(f []byte) []byte { return nil }, "not a file of records of MGPU_TRACE"},
		"another file":           {func(f []byte) []byte { return []byte("# Read me, and then read me again") }, "not a file of records of MGPU_TRACE"},
		"no header":              {func(f []byte) []byte { clear(f[:trace.HeaderBytes]); return f }, "not a file of records of MGPU_TRACE"},
		"cut within the header":  {func(f []byte) []byte { return f[:100] }, "cut short at byte 100"},
		"cut within the text":    {func(f []byte) []byte { return f[:5000] }, "cut short at byte 5000"},
		"longer than it is":      {func(f []byte) []byte { return append(f, make([]byte, 5*trace.SegmentBytes)...) }, "the header is damaged"},
		"another version":        {func(f []byte) []byte { trace.HeaderOf(f).Version = 2; return f }, "a trace of version 2; this program reads version 1"},
		"version overwritten":    {func(f []byte) []byte { trace.HeaderOf(f).Version = 0x65646f63; return f }, "the header is damaged"},
		"sizes overwritten":      {func(f []byte) []byte { trace.HeaderOf(f).TextBytes = 1 << 60; return f }, "the header is damaged"},
		"segments overwritten":   {func(f []byte) []byte { trace.HeaderOf(f).Segments = math.MaxUint64; return f }, "the header is damaged"},
		"counters overwritten":   {func(f []byte) []byte { trace.HeaderOf(f).Lost.Store(5891827390332118974); return f }, "the header is damaged"},
		"overwritten after them": {func(f []byte) []byte { f[4000] = 1; return f }, "the header is damaged"},
	} {
		file := filepath.Join(t.TempDir(), "t.json.part")
		require.NoError(t, os.WriteFile(file, c.damage(bytes.Clone(good)), 0o600))
		_, err := ReadFile(file)
		assert.EqualError(t, err, c.says, name)
		_, err = Load(file)
		assert.EqualError(t, err, file+": "+c.says, name)
	}
}

func TestFilesThatEndEarlyAreReadAsFarAsTheyGo(t *testing.T) {
	r := recorder(t, trace.Options{Limit: 4 * trace.SegmentBytes})
	for range 1000 {
		r.Add(trace.Record{Kind: trace.TraceDriver, Thread: 1})
	}
	whole := append(recordsOf(t, r), make([]byte, 2*trace.SegmentBytes)...) // as while the process ran
	for segments, want := range map[int]struct {
		records int
		cutAt   uint64
	}{4: {1000, 0}, 2: {1000, 0}, 1: {818, trace.HeaderBytes + trace.TextBytes + trace.SegmentBytes}} {
		file := filepath.Join(t.TempDir(), "t.json.part")
		require.NoError(t, os.WriteFile(file, whole[:trace.HeaderBytes+trace.TextBytes+segments*trace.SegmentBytes], 0o600))
		p, err := ReadFile(file)
		require.NoError(t, err)
		assert.Len(t, p.records, want.records)
		assert.Equal(t, want.cutAt, p.CutAt)
	}
}

// A header may claim any length of a file with holes.
func TestNoMoreIsReadThanWasWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.json.part")
	good := recorded(t, "soft")
	trace.HeaderOf(good).Segments = 1 << 16
	require.NoError(t, os.WriteFile(file, good, 0o600))
	require.NoError(t, os.Truncate(file, trace.HeaderBytes+trace.TextBytes+trace.SegmentBytes<<16))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p, err := ReadFile(file)
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	require.Zero(t, p.CutAt)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(100<<20), "of four gigabytes")
}

func TestTimelinesThatAreNoneAreRefused(t *testing.T) {
	for text, says := range map[string]string{
		"[]":                  " is not a timeline of MGPU_TRACE",
		"{}":                  " is not a timeline of MGPU_TRACE",
		`{"traceEvents": 1}`:  " is not a timeline of MGPU_TRACE",
		`{"traceEvents": [1,`: " is not a timeline of MGPU_TRACE: invalid JSON at byte 19",
		"":                    " is not a timeline of MGPU_TRACE: invalid JSON at byte 0",
	} {
		file := filepath.Join(t.TempDir(), "t.json")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, err := Load(file)
		assert.EqualError(t, err, file+says)
	}
	_, err := Load("nowhere.json")
	assert.EqualError(t, err, "nowhere.json: no such file or directory")
}

func TestWhatCannotBeDrawnIsSaid(t *testing.T) {
	d := &Document{Events: []Event{{Phase: "X", At: 1, Took: 9}}}
	for _, c := range []struct {
		p    Picture
		says string
	}{
		{Picture{From: 10}, "nothing to draw from 10.000 us on: the timeline ends at 10.000 us"},
		{Picture{From: 5, To: 5}, "nothing to draw from 5.000 us on: the timeline ends at 10.000 us"},
		{Picture{To: math.Inf(1)}, "nothing to draw from 0.000 us on: the timeline ends at 10.000 us"},
		{Picture{To: math.NaN()}, "nothing to draw from 0.000 us on: the timeline ends at 10.000 us"},
	} {
		assert.EqualError(t, d.Draw(io.Discard, c.p), c.says)
	}
	require.NoError(t, d.Draw(io.Discard, Picture{From: 5, To: 6, Width: LeastWidth}))

	var last, same strings.Builder
	require.NoError(t, d.Draw(&last, Picture{Last: 4}))
	require.NoError(t, d.Draw(&same, Picture{From: 6}))
	require.Equal(t, same.String(), last.String())
	last.Reset()
	same.Reset()
	require.NoError(t, d.Draw(&last, Picture{Last: 40}))
	require.NoError(t, d.Draw(&same, Picture{}))
	require.Equal(t, same.String(), last.String())
}

// Where a patch of FuzzDamagedFiles lies, by its first byte.
var patched = []int{0, trace.HeaderBytes, trace.HeaderBytes + trace.TextBytes, trace.HeaderBytes + trace.TextBytes + trace.SegmentBytes}

// patch makes a damaged file: each 11 bytes of damage are a place and a number that is written there.
func patch(file, damage []byte) []byte {
	file = bytes.Clone(file)
	for ; len(damage) >= 11; damage = damage[11:] {
		at := patched[int(damage[0])%len(patched)] + int(binary.LittleEndian.Uint16(damage[1:]))
		copy(file[min(at, len(file)):], damage[3:11])
	}
	return file
}

func FuzzDamagedFiles(f *testing.F) {
	good := map[bool][]byte{true: recorded(f, "soft"), false: recorded(f, "hip")}
	number := func(place byte, at uint16, value uint64) []byte {
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint16([]byte{place}, at), value)
	}
	for field := uint16(0); field < trace.RecordBytes; field += 8 {
		for _, value := range []uint64{0, 1, math.MaxInt64, math.MaxUint64} {
			for slot := uint16(1); slot < 4; slot++ {
				f.Add(number(2, slot*trace.RecordBytes+field, value), true, uint32(0))
				f.Add(number(3, slot*trace.RecordBytes+field, value), false, uint32(0))
			}
			f.Add(number(0, field, value), true, uint32(0))
			f.Add(number(1, field, value), true, uint32(0))
		}
	}
	f.Fuzz(func(t *testing.T, damage []byte, soft bool, cut uint32) {
		file := patch(good[soft], damage)
		requireReadOrRefused(t, file[:len(file)-int(cut)%len(file)])
	})
}
