package trace

import "sync/atomic"

// Header is the beginning of the file. Numbers have the machine's byte order.
//
//mgpu:struct trace_header
type Header struct {
	Magic        uint64
	Version      uint32
	RecordBytes  uint32
	Process      uint32
	Wraps        uint32 // nonzero: the newest records overwrite the oldest
	Monotonic    int64  // CLOCK_MONOTONIC at the creation of the file, in nanoseconds; all times use this clock
	Realtime     int64  // CLOCK_REALTIME at that moment
	Segments     uint64 // number of segments
	SegmentBytes uint64
	TextBytes    uint64        // size of the text area
	Next         atomic.Uint64 // number of segments in use
	TextNext     atomic.Uint64 // bytes of text in use
	Calls        atomic.Uint64 // number of counted mgpu calls so far
	Lost         atomic.Uint64 // number of records for which there was no space
	Tickets      uint64        // number of segments that earlier recordings of the process used
}

// Segment is the beginning of a segment. Its records follow; it has the size of a record.
//
//mgpu:struct trace_segment
type Segment struct {
	Ticket atomic.Uint64 // serial number of the segment's use in the process, from 1; zero: unused
	Thread uint32        // thread that writes; zero: several threads
	Call   uint32        // mgpu call in progress
	Start  atomic.Uint64 // start of that call; zero: no call is in progress
	Number uint64        // number of that call
	Name   [16]uint8     // name of the thread
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
	Number uint64    // number of the call; of device work: of the launch of a graph
	X      [6]uint64 // depends on the kind
}

// Kinds of records. The kind is written last: a record of kind 0 is not complete.
//
//mgpu:enum trace
const (
	TraceNothing = iota
	TraceCall    // an mgpu call. X of launches: packed as X of device launches; of others: two arguments, bytes, stream, result, way
	TraceDriver  // a driver call. X: text of its name, or one of the numbers from TraceLaunch on
	TraceDevice  // work of a device. X: what, function or bytes, stream, device, submitted at, by thread
	TraceInstant // X: text, class
	TraceOutcome // outcome of the mgpu call in progress. X: class, text of the reason
	TraceCounter // X: which, device, value
	TracePush    // begins a range of the program. X: text
	TracePop
	TraceMark // X: text
)

// Driver calls that C makes, as X[0] of TraceDriver.
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
	TraceRecorded // recorded into a region
)

// Work of devices.
const (
	WorkKernel = 1 + iota
	WorkCopy
	WorkFill
	WorkRegion
)

// Outcomes of calls that a pool or a cache may serve.
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

// FreeWaits is the beginning of the note of a free that waits for the device.
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

// Entry is the beginning of a text in the text area. Its bytes follow, padded to a multiple of 8.
type Entry struct {
	Kind  uint32 // zero: not complete
	Bytes uint32
	Key   uint64
	Stamp uint64 // time from which on Key means this text
}

const EntryBytes = 24

// Kinds of texts, with their keys.
const (
	TextString  = 1 + iota // a number
	TextCall               // the number of an mgpu function
	TextKernel             // a function's handle
	TextDevice             // the device's number
	TextDriver             // nothing
	TextStream             // a stream's handle
	TextProgram            // nothing
	TextRank               // nothing: the rank of a job, if the process has one
	TextNoGPU              // nothing: the times of devices were not requested
)
