package trace

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/ianlancetaylor/demangle"
)

// Part is what a file of records holds.
type Part struct {
	Process             int
	Rank                int // -1: none
	Program, Driver     string
	Devices             []string
	Monotonic, Realtime int64
	Lost                uint64
	NoGPU               bool // no times of devices are wanted

	records []Record // by start
	open    []Record // calls under way when the process ended
	texts   map[uint64]string
	calls   map[uint16]string
	kernels map[uint64][]named // by handle, in time
	streams map[uint64]string
	threads map[uint32]string
}

// named is what a handle means from a moment on.
type named struct {
	from uint64
	name string
}

var errNoTrace = errors.New("not a file of records of MGPU_TRACE")

// Read reads a file of records. It may be that of a process that still runs, or did not end
// well: what was not written to its end is left out.
func Read(file []byte) (*Part, error) {
	if len(file) < headerBytes+textBytes {
		return nil, errNoTrace
	}
	h := headerOf(file)
	switch {
	case h.Magic != magic:
		return nil, errNoTrace
	case h.Version != version || h.RecordBytes != recordBytes || h.SegmentBytes != segmentBytes || h.TextBytes != textBytes:
		return nil, fmt.Errorf("a trace of version %d; this program reads version %d", h.Version, version)
	}
	p := &Part{Process: int(h.Process), Rank: -1, Monotonic: h.Monotonic, Realtime: h.Realtime, Lost: h.Lost.Load(),
		texts: map[uint64]string{}, calls: map[uint16]string{}, kernels: map[uint64][]named{}, streams: map[uint64]string{}, threads: map[uint32]string{}}
	p.readTexts(file, min(h.TextNext.Load(), textBytes))
	there := uint64(len(file)-headerBytes-textBytes) / segmentBytes
	for i := range min(h.Next.Load(), h.Segments, there) {
		p.readSegment(file, i)
	}
	slices.SortFunc(p.records, func(a, b Record) int { return cmp.Compare(a.Start, b.Start) })
	return p, nil
}

func (p *Part) readTexts(file []byte, end uint64) {
	for at := uint64(0); at+entryBytes <= end; {
		e := entryOf(file, at)
		size := entryBytes + (uint64(e.Bytes)+7)&^7
		kind := atomic.LoadUint32(&e.Kind)
		if kind == 0 || at+size > end {
			return // the process ended while it wrote this one
		}
		text := string(bytes.Clone(file[headerBytes+at+entryBytes:][:e.Bytes]))
		p.readText(kind, e, text)
		at += size
	}
}

func (p *Part) readText(kind uint32, e *entry, text string) {
	switch kind {
	case textString:
		p.texts[e.Key] = text
	case textCall:
		p.calls[uint16(e.Key)] = text
	case textKernel:
		p.kernels[e.Key] = append(p.kernels[e.Key], named{e.Stamp, demangle.Filter(text, demangle.NoParams)})
	case textDevice:
		p.Devices = append(p.Devices, text)
	case textDriver:
		p.Driver = text
	case textStream:
		p.streams[e.Key] = text
	case textProgram:
		p.Program = text
	case textNoGPU:
		p.NoGPU = true
	case textRank:
		p.Rank = int(e.Key)
	}
}

func (p *Part) readSegment(file []byte, i uint64) {
	s := segmentOf(file, i)
	if s.Ticket.Load() == 0 {
		return
	}
	if s.Thread != 0 {
		name, _, _ := bytes.Cut(s.Name[:], []byte{0})
		p.threads[s.Thread] = string(name)
	}
	for slot := uint64(1); slot < segmentBytes/recordBytes; slot++ {
		r := recordOf(file, i, slot)
		if r.Kind == TraceNothing {
			break
		}
		p.records = append(p.records, *r)
	}
	if start := s.Start.Load(); start != 0 {
		p.open = append(p.open, Record{Kind: TraceCall, Call: uint16(s.Call), Thread: s.Thread, Start: start, Number: s.Number})
	}
}

// kernel is what a function's handle meant at a moment.
func (p *Part) kernel(handle, at uint64) string {
	names := p.kernels[handle]
	for i := len(names) - 1; i >= 0; i-- {
		if names[i].from <= at || i == 0 {
			return names[i].name
		}
	}
	return fmt.Sprintf("%#x", handle)
}

func (p *Part) call(number uint16) string {
	if name, ok := p.calls[number]; ok {
		return name
	}
	return fmt.Sprintf("mgpu call of kind %d", number)
}
