// Package hsa is the software GPU as AMD's runtime (ROCr) and its kernel driver know GPUs: nodes, memory that is
// visible to some of them, AQL queues, signals and events. softgpu/internal/emu executes what is in the queues.
//
// A [System] has the GPUs of a process. Package kfd asks it for what control calls of the driver ask for.
//
// # Nodes
//
// Node 0 is the host's processor. The GPUs are nodes 1 to n, all of one chip.
//
// # Memory
//
// Whatever the GPU may touch is a [Block] of the space: allocated, where host and GPU
// use the same address; registered, host memory that the GPU may know at another address,
// which the emulator translates; shared, another process's; or internal, which is the emulator's. A block is
// visible to the nodes that it is shown to. Freed pages are given back to the system
// once every kernel that ran at that time has ended.
//
// # Queues
//
// Each AQL queue has one goroutine, which executes its packets in order; queues
// progress independently. A packet is due when its header is valid. Doorbells wake a
// queue's goroutine where they can be watched (doorbell_unsafe.go); the others, and
// signals that packets wait for, are polled (poll.go).
//
// # Copy engines
//
// There are none: package kfd refuses their queues, and the runtime then copies with kernels. gfx942
// and gfx950 report two all the same, as ROCr 7 chooses between them before it asks for a queue: it
// divides by their number, and refuses copies to the host where there are fewer.
//
// # Threads and locks
//
// The host calls from any thread; a wait blocks the calling thread in Go. Goroutines of
// queues call nothing of the host. Lock order: System.mu (queues), space.mu, events.mu,
// poller.mu; none is held while a kernel runs or while a caller waits.
package hsa
