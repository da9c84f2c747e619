package trace

import "sync/atomic"

// Header begins the file. Numbers are the machine's own.
//
//mgpu:struct trace_header
type Header struct {
	Magic        uint64
	Version      uint32
	RecordBytes  uint32
	Process      uint32
	Wraps        uint32 // not zero: the newest records overwrite the oldest
	Monotonic    int64  // CLOCK_MONOTONIC when the file was made, in nanoseconds, as all times
	Realtime     int64  // CLOCK_REALTIME at that moment
	Segments     uint64 // how many there are
	SegmentBytes uint64
	TextBytes    uint64        // of the area of text
	Next         atomic.Uint64 // segments that were taken
	TextNext     atomic.Uint64 // bytes of text that were taken
	Calls        atomic.Uint64 // mgpu calls that are counted, so far
	Lost         atomic.Uint64 // records for which there was no room
	Tickets      uint64        // segments that earlier recordings of the process took
}

// Segment begins a segment of records, which follow it. It is as long as one.
//
//mgpu:struct trace_segment
type Segment struct {
	Ticket atomic.Uint64 // serial number of the segment's use in the process, from 1; zero: unused
	Thread uint32        // that writes; zero: several
	Call   uint32        // of the mgpu call under way
	Start  atomic.Uint64 // when that began; zero: none is under way
	Number uint64        // of that call
	Name   [16]uint8     // of the thread
	_      [4]uint64
}

// Record is one event.
//
//mgpu:struct trace_record
type Record struct {
	Kind   uint16
	Call   uint16 // number of the mgpu function
	Thread uint32
	Start  uint64
	End    uint64
	Number uint64    // of the call; of device work, of the launch of a graph
	X      [6]uint64 // by kind
}

// Kinds of records. Written last: a record of kind 0 was not written.
//
//mgpu:enum trace
const (
	TraceNothing = iota
	TraceCall    // an mgpu call. X of launches: packed as X of device launches; of others: two arguments, bytes, stream, result, way
	TraceDriver  // a driver call. X: text of its name, or a number of TraceLaunch and following
	TraceDevice  // work of a device. X: what, function or bytes, stream, device, submitted at, by thread
	TraceInstant // X: text, class
	TraceOutcome // of the mgpu call around it. X: class, text of the reason
	TraceCounter // X: which, device, value
	TracePush    // begins a range of the program's. X: text
	TracePop
	TraceMark // X: text
)

// Driver calls that C makes, as TraceDriver has them in X[0].
//
//mgpu:enum trace
const (
	TraceLaunch = 1 + iota
	TraceGraph
	TraceSynchronize
	TraceWait // the blocking part of the mgpu call
	TraceTexts
)

// Ways of a call, in the upper half of X[5].
//
//mgpu:enum trace
const (
	TraceMade     = iota
	TraceInGo     // made by Go
	TraceRecorded // into a region
)

// Work of devices.
const (
	WorkKernel = 1 + iota
	WorkCopy
	WorkFill
	WorkRegion
)

// Outcomes of calls that a pool or a cache may answer.
const (
	Missed = 1 + iota
	Refused
	Failed
)

// Classes of instants.
const (
	Line = 1 + iota // printed on standard error
	Note
	Verdict
)

// FreeWaits is how the note of a free begins that waits for the device.
const FreeWaits = "the free waits for the device"

// Counters.
const (
	MemoryLive = 1 + iota
	MemoryCached
)

// The file's sizes.
const (
	Magic        = 0x3163617274676d // "mgtrac1"
	Version      = 1
	HeaderBytes  = 4096
	TextBytes    = 1 << 20
	SegmentBytes = 64 << 10
	RecordBytes  = 80
)

// Entry begins a text in the area of text. Its bytes follow, up to the next multiple of 8.
type Entry struct {
	Kind  uint32 // zero: not written
	Bytes uint32
	Key   uint64
	Stamp uint64 // from when on Key means this
}

const EntryBytes = 24

// Kinds of texts, and what Key is.
const (
	TextString  = 1 + iota // a number
	TextCall               // the number of an mgpu function
	TextKernel             // a function's handle
	TextDevice             // the device's number
	TextDriver             // nothing
	TextStream             // a stream's handle
	TextProgram            // nothing
	TextRank               // nothing: of a job, if the process is of one
	TextNoGPU              // nothing: no times of devices are wanted
)
