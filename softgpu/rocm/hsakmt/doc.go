// Package hsakmt is the ROCm thunk over the software GPU: what libhsakmt does for
// AMD's runtime (ROCr) by asking the kernel driver, done here for devices that
// softgpu/internal/emu executes.
//
// A [Thunk] has the methods of that library's interface, one per function that ROCr
// calls, named without the prefix hsaKmt. Their arguments are what C passes: numbers,
// and addresses of AMD's structures, whose layouts are tables (layout.go). Package
// main in /hsakmt exports them.
//
// # Nodes
//
// Node 0 is the host's processor. The GPUs are nodes 1 to n, all of one chip.
//
// # Memory
//
// Whatever the GPU may touch is a block of the [space]: allocated, where host and GPU
// use the same address; registered, host memory that the GPU knows at another address,
// which the emulator translates; or internal, which belongs to the thunk. A block is
// visible to the nodes that it is mapped to. Freed pages are given back to the system
// once every kernel that ran at that time has ended.
//
// # Queues
//
// Each AQL queue has one goroutine, which executes its packets in order; queues
// progress independently. A packet is due when its header is valid. Doorbells wake a
// queue's goroutine where they are rung by call or watched (doorbell_unsafe.go); the others, and
// signals that packets wait for, are polled (poll.go).
//
// # Copy engines
//
// There are none: CreateQueue refuses their queues, and the runtime then copies with kernels. gfx942
// and gfx950 report two all the same, as ROCr 7 chooses between them before it asks for a queue: it
// divides by their number, and refuses copies to the host where there are fewer.
//
// # Threads and locks
//
// The host calls from any thread; a wait blocks the calling thread in Go. Goroutines of
// queues call nothing of the host. Lock order: Thunk.mu (queues), space.mu, events.mu,
// poller.mu; none is held while a kernel runs or while a caller waits.
package hsakmt
