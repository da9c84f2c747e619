// Package hsa is the software GPU in the terms of AMD's runtime (ROCr) and its kernel driver: nodes, memory that is
// visible to some of them, AQL queues, signals and events. softgpu/internal/emu executes the contents of the queues.
//
// A [System] has the GPUs of a process. Package kfd calls it for the driver's control calls.
//
// # Nodes
//
// Node 0 is the host's processor. The GPUs are nodes 1 to n, all with the same chip.
//
// # Memory
//
// All memory that the GPU may access is a [Block] of the space. It is allocated (host and GPU use the same address),
// registered (host memory that the GPU may have at another address, which the emulator translates), shared (another
// process's), or internal (the emulator's). A block is visible to chosen nodes. Freed pages are returned to the system
// once every kernel that ran at that time has ended.
//
// # Queues
//
// Each AQL queue has one goroutine, which executes its packets in order; queues progress independently. A packet is due
// when its header is valid. Doorbells wake a queue's goroutine if they can be watched (doorbell_unsafe.go); the
// goroutine that hears one executes the first kernel itself. Other doorbells, and signals for which packets wait, are
// polled (poll.go).
//
// # Copy engines
//
// There are none: package kfd refuses their queues, and the runtime then copies with kernels. Nevertheless gfx942 and
// gfx950 report two, since ROCr 7 chooses between them before it asks for a queue: it divides by their number, and
// refuses copies to the host if there are fewer.
//
// # Threads and locks
//
// The host calls from any thread; a wait blocks the calling thread in Go. Goroutines of queues make no calls to the
// host. Lock order: System.mu (queues), space.mu, events.mu, poller.mu; none is held while a kernel runs or while a
// caller waits.
package hsa
