package timeline

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/ianlancetaylor/demangle"

	"github.com/mgpu-runtime/mgpu/internal/calls"
	"github.com/mgpu-runtime/mgpu/internal/input"
	"github.com/mgpu-runtime/mgpu/internal/trace"
)

// Part is the contents of a file of records.
type Part struct {
	Process             int
	Rank                int // -1: no rank
	Program, Driver     string
	Devices             []string
	Monotonic, Realtime int64
	Lost                uint64
	NoGPU               bool   // the times of devices were not requested
	CutAt               uint64 // where the file ends before its records do; zero: it is complete

	records []trace.Record // by start
	open    []trace.Record // calls in progress when the process ended
	texts   map[uint64]string
	calls   map[uint16]*calls.Call
	kernels map[uint64][]named // kernels by handle, in the order of time
	streams map[uint64]string
	threads map[uint32]string
}

// named is the meaning of a handle from a time on.
type named struct {
	from uint64
	name string
}

var (
	errNoTrace = errors.New("not a file of records of MGPU_TRACE")
	errDamaged = errors.New("the header is damaged")
)

// ReadFile reads a file of records. The process may still run, or may have crashed: incomplete records are skipped.
// Only the written part is read, since a file may be far longer.
func ReadFile(name string) (*Part, error) { return readFile(name, partCosts) }

// readFile is ReadFile with a limit: each byte of the file needs costs bytes of memory.
func readFile(name string, costs uint64) (*Part, error) {
	f, err := input.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	header := make([]byte, trace.HeaderBytes)
	n, err := io.ReadFull(f, header)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	size := uint64(info.Size())
	if err := check(header[:n], size); err != nil {
		return nil, err
	}
	h := trace.HeaderOf(header)
	used := min(size, trace.HeaderBytes+trace.TextBytes+min(h.Next.Load(), h.Segments)*trace.SegmentBytes)
	if err := tooLarge(used, costs); err != nil {
		return nil, err
	}
	file := make([]byte, used)
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, int64(len(file))), file); err != nil {
		return nil, err
	}
	copy(file, header) // a running process may have changed it since
	return parse(file, size), nil
}

// Bounds that no valid header exceeds.
const (
	mostVersions  = 1000
	mostProcesses = 1 << 22
	mostTaken     = 1 << 40 // segments, or bytes of text
	mostCalls     = 1 << 56
)

// longestName is the length of the longest kernel name that is shown, as a power of two.
const longestName = 12

// check returns why a file of that size which begins with header can't be read. The rest of the header's page is empty.
func check(header []byte, size uint64) error {
	if len(header) < 8 || binary.NativeEndian.Uint64(header) != trace.Magic {
		return errNoTrace
	}
	if len(header) < trace.HeaderBytes {
		return fmt.Errorf("cut short at byte %d", size)
	}
	h := trace.HeaderOf(header)
	whole := trace.HeaderBytes + trace.TextBytes + h.Segments*trace.SegmentBytes
	switch {
	case h.Version != trace.Version && h.Version != 0 && h.Version < mostVersions:
		return fmt.Errorf("a trace of version %d; this program reads version %d", h.Version, trace.Version)
	case h.Version != trace.Version || h.RecordBytes != trace.RecordBytes || h.SegmentBytes != trace.SegmentBytes || h.TextBytes != trace.TextBytes,
		h.Process > mostProcesses, h.Wraps > 1, h.Monotonic < 0, h.Realtime < 0, h.Segments == 0, h.Segments > mostTaken, size > whole,
		h.Next.Load() > mostTaken, h.TextNext.Load() > mostTaken, h.Calls.Load() > mostCalls, h.Lost.Load() > mostCalls,
		slices.ContainsFunc(header[trace.HeaderUsed:], func(b byte) bool { return b != 0 }):
		return errDamaged
	case size < trace.HeaderBytes+trace.TextBytes:
		return fmt.Errorf("cut short at byte %d", size)
	}
	return nil
}

// parse reads a file that check has accepted, or the first size bytes of it.
func parse(file []byte, size uint64) *Part {
	h := trace.HeaderOf(file)
	p := &Part{Process: int(h.Process), Rank: -1, Monotonic: h.Monotonic, Realtime: h.Realtime, Lost: h.Lost.Load(),
		texts: map[uint64]string{}, calls: map[uint16]*calls.Call{}, kernels: map[uint64][]named{}, streams: map[uint64]string{}, threads: map[uint32]string{}}
	p.readTexts(file, min(h.TextNext.Load(), trace.TextBytes))
	taken := min(h.Next.Load(), h.Segments)
	there := uint64(len(file)-trace.HeaderBytes-trace.TextBytes) / trace.SegmentBytes
	if there < taken {
		p.CutAt = size
	}
	for i := range min(taken, there) {
		p.readSegment(file, i)
	}
	slices.SortFunc(p.records, func(a, b trace.Record) int { return cmp.Compare(a.Start, b.Start) })
	for _, names := range p.kernels {
		slices.SortStableFunc(names, func(a, b named) int { return cmp.Compare(a.from, b.from) })
	}
	return p
}

func (p *Part) readTexts(file []byte, end uint64) {
	for at := uint64(0); at+trace.EntryBytes <= end; {
		e := trace.EntryOf(file, at)
		size := trace.EntryBytes + (uint64(e.Bytes)+7)&^7
		kind := atomic.LoadUint32(&e.Kind)
		if kind == 0 || at+size > end {
			return // the process ended while it wrote this record
		}
		text := string(bytes.Clone(file[trace.HeaderBytes+at+trace.EntryBytes:][:e.Bytes]))
		p.readText(kind, e, text)
		at += size
	}
}

func (p *Part) readText(kind uint32, e *trace.Entry, text string) {
	switch kind {
	case trace.TextString:
		p.texts[e.Key] = text
	case trace.TextCall:
		p.calls[uint16(e.Key)] = calls.Named(text)
	case trace.TextKernel:
		p.kernels[e.Key] = append(p.kernels[e.Key], named{e.Stamp, demangle.Filter(text, demangle.NoParams, demangle.MaxLength(longestName))})
	case trace.TextDevice:
		p.Devices = append(p.Devices, text)
	case trace.TextDriver:
		p.Driver = text
	case trace.TextStream:
		p.streams[e.Key] = text
	case trace.TextProgram:
		p.Program = text
	case trace.TextNoGPU:
		p.NoGPU = true
	case trace.TextRank:
		p.Rank = int(e.Key)
	}
}

func (p *Part) readSegment(file []byte, i uint64) {
	s := trace.SegmentOf(file, i)
	if s.Ticket.Load() == 0 {
		return
	}
	if s.Thread != 0 {
		name, _, _ := bytes.Cut(s.Name[:], []byte{0})
		p.threads[s.Thread] = string(name)
	}
	for slot := uint64(1); slot < trace.SegmentBytes/trace.RecordBytes; slot++ {
		r := trace.RecordOf(file, i, slot)
		if r.Kind == trace.TraceNothing {
			break
		}
		p.records = append(p.records, *r)
	}
	if start := s.Start.Load(); start != 0 {
		p.open = append(p.open, trace.Record{Kind: trace.TraceCall, Call: uint16(s.Call), Thread: s.Thread, Start: start, Number: s.Number})
	}
}

// kernel returns the meaning of a function's handle at a time.
func (p *Part) kernel(handle, at uint64) string {
	names := p.kernels[handle]
	if len(names) == 0 {
		return fmt.Sprintf("%#x", handle)
	}
	later := sort.Search(len(names), func(i int) bool { return names[i].from > at })
	return names[max(later-1, 0)].name
}

func (p *Part) call(number uint16) *calls.Call {
	if c := p.calls[number]; c != nil {
		return c
	}
	return &calls.Call{Name: fmt.Sprintf("mgpu call of kind %d", number)}
}
