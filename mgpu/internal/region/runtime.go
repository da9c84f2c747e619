package region

import (
	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// Function is an mgpu function that the driver calls of a region are charged to. Graph
// functions are no part of MLIR's ABI: their driver calls are charged to launches.
type Function int

// Functions.
const (
	LaunchKernel Function = iota
	Memcpy
	Memset
	MemAlloc
	MemFree
	StreamSynchronize
	StreamWaitEvent
	EventRecord
	EventSynchronize
	Functions int = iota
)

// Runtime is the runtime that regions belong to.
type Runtime interface {
	// Open opens the driver unless it is open. It returns false, and reports a failure of call,
	// if no driver opens.
	Open(call string) bool
	// On returns the calls of a region that are charged to a function. The driver is open.
	On(Function) Calls
	// Report prints a failure of an mgpu function.
	Report(call string, err error)
	PrintLine(line string)
}

// Calls are what regions call of the runtime and its driver, charged to one function. Methods
// may be called by any number of threads.
type Calls interface {
	streampool.Driver
	launchgraph.Submitter
	StreamSynchronize(driver.Stream) error
	EventSynchronize(driver.Event) error
	HostRegister(p driver.Ptr, bytes uint64) error
	HostUnregister(driver.Ptr) error
	SynchronizeDevice(device int) error

	// Driver returns the open driver, for questions that are not charged.
	Driver() driver.Driver
	// Unrecordable returns why no region can be recorded at all, empty if regions can.
	Unrecordable() string
	// Graphs returns the driver's graphs, nil if it has none. GraphTraits are zero then.
	Graphs() launchgraph.Driver
	GraphTraits() driver.GraphTraits
	// Relauncher returns what launches graphs again without Go, nil if nothing does.
	Relauncher() Relauncher

	// Failed reports err as the function's failure, and returns whether err is set.
	Failed(err error) bool
	// FailedLaunch reports the failure of a launch.
	FailedLaunch(fn driver.Function, err error)
	// Launched counts a kernel's launch, where Counts says so.
	Launched(fn driver.Function, grid, block driver.Dim3, byGraph bool)
	Counts() bool

	// CurrentDevice returns the calling thread's device. SwitchTo makes another one current, and
	// SwitchBack the one before.
	CurrentDevice() (int, error)
	SwitchTo(device int) (before int, err error)
	SwitchBack(before, device int)

	streams
	kernels
	memory
}

// streams are calls about streams and events.
type streams interface {
	Pool() *streampool.Pool
	// Find returns the pool's entry of a stream or event, nil for a foreign one. ok is false, and
	// the misuse reported, if the program has destroyed it. FindStream is Find for a handle that
	// must be a stream.
	Find(handle uintptr) (e *streampool.Entry, ok bool)
	FindStream(handle uintptr) (e *streampool.Entry, ok bool)
	// EntryOf returns the entry of a stream that work is submitted to, nil for a foreign one.
	EntryOf(driver.Stream) *streampool.Entry
	// DefaultStreamPending reports whether a device's default stream may have work.
	DefaultStreamPending(device int) bool
	// EntryToSubmit is EntryOf for a submission that comes next. It makes the stream follow what
	// frees have left pending.
	EntryToSubmit(driver.Stream) *streampool.Entry
	// RecordOwn records one of the library's events on a stream.
	RecordOwn(driver.Event, driver.Stream) error
	// WaitForEvent makes a stream wait for an event, WaitForStream for the work of another stream.
	WaitForEvent(driver.Stream, driver.Event) error
	WaitForStream(s, other driver.Stream) error
	// Captures reports whether the program captures a stream, CapturesAny whether it captures any.
	Captures(driver.Stream) bool
	CapturesAny() bool
	// RelaxCapture lets the thread make calls that would end captures of other threads, until it
	// calls restore.
	RelaxCapture() (restore func())
}

// kernels are questions about kernels.
type kernels interface {
	// Kernel returns what graphs need to know of a function; never nil.
	Kernel(driver.Function) *launchgraph.KernelTraits
	// KernelName returns a function's name for messages: its address if unknown.
	KernelName(driver.Function) string
	// KernelIn reports whether a function is of a module.
	KernelIn(driver.Function, driver.Module) bool
}

// memory are calls about device memory.
type memory interface {
	// RecordsMemory reports whether a region can allocate and free.
	RecordsMemory() bool
	// Alloc allocates a block. AllocAgain allocates a block that a graph holds, and returns false
	// if the block does not serve.
	Alloc(alloccache.Request) (ptr uintptr, err error)
	AllocAgain(ptr uintptr, q alloccache.Request) bool
	// Request completes a request that the calling thread makes in a session (zero: none).
	Request(q alloccache.Request, session uintptr) alloccache.Request
	// Hold takes a block that the program frees out of its hands. It returns false, and reports
	// the misuse, if there is no such block.
	Hold(ptr uintptr) bool
	// Release returns a block to the cache, behind all submitted work.
	Release(ptr uintptr)
	// Lose drops a block that Hold took, whose memory the driver has freed.
	Lose(ptr uintptr)
	// NoteFree notes that memory of a device is freed without a wait: what is submitted from now
	// on follows what was submitted before.
	NoteFree(device int)
	// FreeWaits reports whether the program may rely on a free's wait for the device. known is
	// false where only the driver's own free makes that wait.
	FreeWaits(device int) (waits, known bool)
	// NoteShared notes that the program gets memory that host and device share.
	NoteShared()
}

// Relauncher launches graphs again without Go.
type Relauncher interface {
	// Relaunch lets it launch the graph of key on a stream; launches is the address of the
	// launches' counter. EndRelaunch takes that back, and waits until no launch is under way.
	Relaunch(key uint64, s driver.Stream, x driver.GraphExec, launches uintptr)
	EndRelaunch(key uint64, s driver.Stream)
}
