package trace

import (
	"fmt"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mgpu-runtime/mgpu/internal/hostfile"
	"github.com/mgpu-runtime/mgpu/internal/locks"
)

// Options of a Recorder.
type Options struct {
	File    string // name of the timeline; the records go to File.part
	Limit   uint64 // bytes of records; zero: 256 MiB
	Last    bool   // at the limit, the newest records overwrite the oldest
	Process int
	Calls   uint64 // number of mgpu calls that were made before
	Program string
	Rank    int  // of a job; -1: no rank
	NoGPU   bool // the times of devices are not requested
}

const usualLimit = 256 << 20

// Recorder writes records.
type Recorder struct {
	name  string // name of the file of records
	file  []byte
	start time.Time // time at which the clock showed base
	base  int64

	shards [shards]shard

	mu    locks.Mutex[locks.Texts]
	texts map[string]uint64
	known map[uint64]string // kernels by handle
}

const shards = 16

// shard is a place to which some threads write.
type shard struct {
	mu      locks.Mutex[locks.Records]
	ticket  uint64
	segment uint64
	slot    uint64 // index of the next record; zero: no segment yet
	_       [4]uint64
}

// New creates the file. It fails if that is not possible.
func New(o Options) (*Recorder, error) {
	if o.Limit == 0 {
		o.Limit = usualLimit
	}
	segments := max(o.Limit/SegmentBytes, 2)
	size := HeaderBytes + TextBytes + segments*SegmentBytes
	name, fd, err := create(o.File, o.Process, int64(size))
	if err != nil {
		return nil, err
	}
	defer func() { _ = syscall.Close(fd) }()
	r := &Recorder{name: name + PartSuffix, texts: map[string]uint64{}, known: map[uint64]string{}}
	if r.file, err = mapFile(fd, size); err == nil {
		if err = populate(r.file[:HeaderBytes+TextBytes]); err == syscall.EINVAL { // Linux before 5.14
			err = syscall.Fallocate(fd, 0, 0, int64(size))
		}
		if err == nil {
			r.begin(o, segments)
			return r, nil
		}
		unmapFile(r.file)
	}
	_ = syscall.Unlink(r.name)
	return nil, fmt.Errorf("%s: no room for %d bytes: %w", r.name, size, err)
}

func (r *Recorder) begin(o Options, segments uint64) {
	r.synchronizeClocks()
	h := HeaderOf(r.file)
	h.Version, h.RecordBytes, h.Process = Version, RecordBytes, uint32(o.Process)
	h.Monotonic, h.Realtime = r.Now(), realtime()
	h.Segments, h.SegmentBytes, h.TextBytes = segments, SegmentBytes, TextBytes
	if o.Last {
		h.Wraps = 1
	}
	h.Calls.Store(o.Calls)
	h.Tickets = taken.Load()
	r.text(TextProgram, 0, o.Program)
	if o.Rank >= 0 {
		r.text(TextRank, uint64(o.Rank), fmt.Sprintf("rank %d", o.Rank))
	}
	if o.NoGPU {
		r.text(TextNoGPU, 0, "")
	}
	h.Magic = Magic
}

// synchronizeClocks reads the system's clock at a known time of Go's clock, with the shortest of three tries.
func (r *Recorder) synchronizeClocks() {
	least := time.Hour
	for range 3 {
		from := time.Now()
		ns := monotonic()
		if took := time.Since(from); took < least {
			least, r.start, r.base = took, from, ns-int64(took)/2
		}
	}
}

// Now returns the time by the records' clock.
func (r *Recorder) Now() int64 {
	if r == nil {
		return 0
	}
	return r.base + int64(time.Since(r.start))
}

// Thread returns the calling thread's number; zero if r records nothing.
func (r *Recorder) Thread() uint32 {
	if r == nil {
		return 0
	}
	return uint32(syscall.Gettid())
}

// Add adds a record.
func (r *Recorder) Add(rec Record) {
	s := &r.shards[rec.Thread%shards]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.slot == 0 || s.slot >= SegmentBytes/RecordBytes || SegmentOf(r.file, s.segment).Ticket.Load() != s.ticket {
		if !r.takeSegment(s) {
			HeaderOf(r.file).Lost.Add(1)
			return
		}
	}
	to := RecordOf(r.file, s.segment, s.slot)
	kind := rec.Kind
	rec.Kind = TraceNothing
	*to = rec
	to.Kind = kind
	s.slot++
}

// takeSegment assigns a segment to a shard. C does the same for its threads.
func (r *Recorder) takeSegment(s *shard) bool {
	h := HeaderOf(r.file)
	n := h.Next.Add(1) - 1
	segments := atomic.LoadUint64(&h.Segments) // read once: zero if another thread has ended the recording
	if segments == 0 || n >= segments && h.Wraps == 0 {
		return false
	}
	s.segment = n % segments
	at := HeaderBytes + TextBytes + s.segment*SegmentBytes
	b := r.file[at : at+SegmentBytes]
	seg := SegmentOf(r.file, s.segment)
	if n < segments {
		if err := populate(b); err != nil && err != syscall.EINVAL {
			return false
		}
	}
	seg.Ticket.Store(0)
	clear(b[8:])
	s.ticket, s.slot = h.Tickets+n+1, 1
	seg.Ticket.Store(s.ticket)
	return true
}

// text adds a text to the text area. It returns false if there is no space.
func (r *Recorder) text(kind uint32, key uint64, s string) bool {
	h := HeaderOf(r.file)
	size := EntryBytes + (uint64(len(s))+7)&^7
	at := h.TextNext.Add(size) - size
	if at+size > TextBytes {
		h.Lost.Add(1)
		return false
	}
	copy(r.file[HeaderBytes+at+EntryBytes:], s)
	e := EntryOf(r.file, at)
	e.Key, e.Stamp, e.Bytes = key, uint64(r.Now()), uint32(len(s))
	atomic.StoreUint32(&e.Kind, kind)
	return true
}

// longest is the length at which a text is cut.
const longest = 1000

// String returns the number of a text, and adds the text if it is new; zero if there is no space.
func (r *Recorder) String(s string) uint64 {
	if len(s) > longest {
		s = s[:longest] + "..."
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	n, ok := r.texts[s]
	if !ok {
		n = uint64(len(r.texts)) + TraceTexts
		if !r.text(TextString, n, s) {
			return 0
		}
		r.texts[s] = n
	}
	return n
}

// Calls records the names of the mgpu functions.
func (r *Recorder) Calls(names []string) {
	if r == nil {
		return
	}
	for i, name := range names {
		r.text(TextCall, uint64(i), name)
	}
}

// Driver records the driver and its devices.
func (r *Recorder) Driver(name string, devices []string) {
	if r == nil {
		return
	}
	r.text(TextDriver, 0, name)
	for i, d := range devices {
		r.text(TextDevice, uint64(i), d)
	}
}

// Kernel records the name of a function from now on.
func (r *Recorder) Kernel(function uintptr, name string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known[uint64(function)] != name && r.text(TextKernel, uint64(function), name) {
		r.known[uint64(function)] = name
	}
}

// Stream records the name of a stream.
func (r *Recorder) Stream(stream uintptr, name string) {
	if r != nil {
		r.text(TextStream, uint64(stream), name)
	}
}

// DriverCall records a driver call of the calling thread that began at start.
func (r *Recorder) DriverCall(name string, start int64) {
	if r != nil {
		r.Add(Record{Kind: TraceDriver, Thread: r.Thread(), Start: uint64(start), End: uint64(r.Now()), X: [6]uint64{r.String(name)}})
	}
}

// Outcome records that the mgpu call in progress on the calling thread missed, was refused or failed.
func (r *Recorder) Outcome(class uint64, reason string) {
	if r == nil {
		return
	}
	x := [6]uint64{class}
	if reason != "" {
		x[1] = r.String(reason)
	}
	r.moment(TraceOutcome, x)
}

// Instant records an event of the calling thread.
func (r *Recorder) Instant(class uint64, text string) {
	if r != nil {
		r.moment(TraceInstant, [6]uint64{r.String(text), class})
	}
}

// Counter records a value of a device.
func (r *Recorder) Counter(which uint64, device int, value uint64) {
	if r != nil {
		r.moment(TraceCounter, [6]uint64{which, uint64(device), value})
	}
}

// Push begins a range of the program on the calling thread.
func (r *Recorder) Push(name string) {
	if r != nil {
		r.moment(TracePush, [6]uint64{r.String(name)})
	}
}

// Pop ends the innermost range.
func (r *Recorder) Pop() {
	if r != nil {
		r.moment(TracePop, [6]uint64{})
	}
}

// Mark records a moment that the program names.
func (r *Recorder) Mark(name string) {
	if r != nil {
		r.moment(TraceMark, [6]uint64{r.String(name)})
	}
}

func (r *Recorder) moment(kind uint16, x [6]uint64) {
	now := uint64(r.Now())
	r.Add(Record{Kind: kind, Thread: r.Thread(), Start: now, End: now, X: x})
}

// Work is work of a device.
type Work struct {
	Kernel     uintptr // function's handle; zero: a copy or a fill
	Bytes      uint64
	Fill       bool
	Region     bool    // the whole graph of a region
	Stream     uintptr // zero: the null stream
	Device     int
	Submitted  int64 // time of the submission
	Thread     uint32
	Graph      uint64 // number of the launch of a graph to which the work belongs; zero: none
	Start, End int64
}

// Device records work of a device.
func (r *Recorder) Device(w *Work) {
	if r == nil {
		return
	}
	what, of := uint64(WorkKernel), uint64(w.Kernel)
	switch {
	case w.Kernel != 0:
	case w.Region:
		what, of = WorkRegion, 0
	case w.Fill:
		what, of = WorkFill, w.Bytes
	default:
		what, of = WorkCopy, w.Bytes
	}
	r.Add(Record{Kind: TraceDevice, Thread: uint32(w.Device), Start: uint64(w.Start), End: uint64(w.End), Number: w.Graph,
		X: [6]uint64{what, of, uint64(w.Stream), uint64(w.Device), uint64(w.Submitted), uint64(w.Thread)}})
}

// End describes a recording that has ended.
type End struct {
	File  string // file of records
	Bytes uint64 // length of the file
	Lost  uint64 // number of records for which there was no space
}

// Finish ends the recording and cuts its file after the last record. Records of threads that have not noticed the end
// yet are lost.
func (r *Recorder) Finish() End {
	h := HeaderOf(r.file)
	next := h.Next.Load()
	end := End{r.name, HeaderBytes + TextBytes + min(next, h.Segments)*SegmentBytes, h.Lost.Load()}
	taken.Add(next)
	unmapFile(r.file)
	_ = hostfile.Shorten(end.File, int64(end.Bytes)) // if that fails, the file keeps a hole at its end
	return end
}

// taken is the number of segments that earlier recordings of the process used.
var taken atomic.Uint64
