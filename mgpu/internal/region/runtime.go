package region

import (
	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// Function is an mgpu function to which the driver calls of a region are charged. Graph functions are not part of
// MLIR's ABI: their driver calls are charged to launches.
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

// Runtime is the runtime to which regions belong.
type Runtime interface {
	// Open opens the driver if it is not open. If no driver can be opened, it reports a failure of call and returns
	// false.
	Open(call string) bool
	// On returns the calls of a region that are charged to a function. The driver has to be open.
	On(Function) Calls
	// Report prints a failure of an mgpu function.
	Report(call string, err error)
	PrintLine(line string)
}

// Calls are the calls that regions make to the runtime and its driver, charged to one function. Methods may be called
// from any number of threads.
type Calls interface {
	streampool.Driver
	launchgraph.Submitter
	StreamSynchronize(driver.Stream) error
	EventSynchronize(driver.Event) error
	HostRegister(p driver.Ptr, bytes uint64) error
	HostUnregister(driver.Ptr) error
	SynchronizeDevice(device int) error

	// Driver returns the open driver, for queries that are not charged.
	Driver() driver.Driver
	// Unrecordable returns why no region can be recorded at all; empty if regions can be recorded.
	Unrecordable() string
	// Graphs returns the driver's graph calls; nil if it has no graphs. GraphTraits are zero then.
	Graphs() launchgraph.Driver
	GraphTraits() driver.GraphTraits
	// Relauncher returns what relaunches graphs without entering Go; nil if nothing does.
	Relauncher() Relauncher

	// Failed reports err as the function's failure, and returns whether err is set.
	Failed(err error) bool
	// FailedLaunch reports the failure of a launch.
	FailedLaunch(fn driver.Function, err error)
	// Launched counts a kernel's launch, if Counts reports true.
	Launched(fn driver.Function, grid, block driver.Dim3, byGraph bool)
	Counts() bool

	// CurrentDevice returns the calling thread's current device. SwitchTo makes another device current, and SwitchBack
	// the previous one.
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
	// Find returns the pool's entry of a stream or event, nil for a foreign one. If the program has destroyed the
	// object, Find reports the misuse and ok is false. FindStream is Find for a handle that must be a stream.
	Find(handle uintptr) (e *streampool.Entry, ok bool)
	FindStream(handle uintptr) (e *streampool.Entry, ok bool)
	// EntryOf returns the entry of a stream to which work is submitted; nil for a foreign stream.
	EntryOf(driver.Stream) *streampool.Entry
	// DefaultStreamPending reports whether a device's default stream may have work pending.
	DefaultStreamPending(device int) bool
	// EntryToSubmit is EntryOf for a submission that comes next. It makes the stream wait for the work that frees left
	// pending.
	EntryToSubmit(driver.Stream) *streampool.Entry
	// RecordOwn records an event of the library on a stream.
	RecordOwn(driver.Event, driver.Stream) error
	// WaitForEvent makes a stream wait for an event; WaitForStream makes it wait for the work of another stream.
	WaitForEvent(driver.Stream, driver.Event) error
	WaitForStream(s, other driver.Stream) error
	// Await waits for all work on a stream that the program's call may not name.
	Await(*streampool.Entry) error
	// Captures reports whether the program captures a stream; CapturesAny, whether it captures any stream.
	Captures(driver.Stream) bool
	CapturesAny() bool
	// RelaxCapture allows the thread to make calls that would otherwise end captures of other threads, until it calls
	// restore.
	RelaxCapture() (restore func())
}

// kernels are queries about kernels.
type kernels interface {
	// Kernel returns what graphs need to know about a function; never nil.
	Kernel(driver.Function) *launchgraph.KernelTraits
	// KernelName returns a function's name for messages; its address if the name is unknown.
	KernelName(driver.Function) string
	// KernelIn reports whether a function belongs to a module.
	KernelIn(driver.Function, driver.Module) bool
}

// memory are calls about device memory.
type memory interface {
	// RecordsMemory reports whether a region can allocate and free.
	RecordsMemory() bool
	// Alloc allocates a block. AllocAgain allocates a block that a graph holds; it returns false if the block can't be
	// used.
	Alloc(alloccache.Request) (ptr uintptr, err error)
	AllocAgain(ptr uintptr, q alloccache.Request) bool
	// Request completes a request that the calling thread makes in a session (zero: none).
	Request(q alloccache.Request, session uintptr) alloccache.Request
	// Hold takes a block that the program frees. If there is no such block, it reports the misuse and returns false.
	Hold(ptr uintptr) bool
	// Release returns a block to the cache, for reuse after all submitted work.
	Release(ptr uintptr)
	// Lose drops a block from Hold whose memory the driver has freed.
	Lose(ptr uintptr)
	// NoteFree notes that memory of a device is freed without a wait. Work that is submitted from now on follows the
	// work that was submitted before.
	NoteFree(device int)
	// FreeWaits reports whether the program may rely on a free's wait for the device. known is false if only the
	// driver's own free makes that wait.
	FreeWaits(device int) (waits, known bool)
	// NoteShared notes that the program gets memory that host and device share.
	NoteShared()
}

// Relauncher launches graphs again without entering Go.
type Relauncher interface {
	// Relaunch lets C launch the graph of key on a stream. launches is the address of the counter of these launches.
	// EndRelaunch ends that, and waits until no launch is in progress.
	Relaunch(key uint64, s driver.Stream, x driver.GraphExec, launches uintptr)
	EndRelaunch(key uint64, s driver.Stream)
}
