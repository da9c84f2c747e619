// Package softgpu is a driver over a software AMD GPU: memory, streams, events and
// modules as HIP has them, with HIP's names for what goes wrong. Package emu
// executes the kernels.
//
// # Memory
//
// Device memory comes from the system's pages, never from the Go heap, and is
// the host's as well: addresses are the same. Every block is known by its exact
// range. A kernel's access next to one is a fault, but for the rest of its last
// page of 4 KiB, as on a GPU; where Options.Check looks at memory, blocks end at
// their last byte. Copies and fills always do. A kernel may also touch any other
// memory that the process has mapped, as on GPUs that share the host's page
// tables; see view for what happens if the host unmaps it meanwhile.
// Copies to and from host memory are made by the operating system, so a bad
// pointer is an error and no signal.
//
// # Streams
//
// A stream is a queue. While it has work, one goroutine runs it: one started
// by the submission, or the one of a caller that waits for the stream and
// finds nobody running it, which saves two changes of thread in the common
// launch and synchronize. Streams therefore progress independently, and an
// idle stream costs nothing. All streams are ordered with the null stream, as
// HIP's default flag has it. That order, waits for events, and waits of the
// host are all expressed by fences: "stream s has finished n operations". A
// fence is always made of operations submitted before the one that waits, so
// waiting cannot go round in a circle.
//
// A kernel that fails does not stop its stream. Its first failure is kept and
// reported once, by the first call that comes after it: one that waits for the
// stream, for an event behind the failure, for a stream whose work waited for
// that event or for the null stream, or for the device; one that asks whether
// they are done; or one that destroys the stream. The stream does its later work
// either way. Of a stream that is destroyed while it has work, a later failure
// goes to the next call that waits for the device: hipFree, or a synchronize of
// the null stream. A stream that has waited for no other one reports its own
// failures only. What nobody asks for is left for Driver.Failures, which the
// library calls at the end of the process.
//
// # Concurrency
//
// All methods of Driver may be called by any number of goroutines. Locks are
// taken in this order, and none is held while a kernel runs or a fence is
// waited for:
//
//	graphExec.mu, graph.mu, device.order, stream.mu, event.mu, view.mu, heap.mu
//
// The tables' locks and the registrations' are leaves: nothing is taken under
// them.
//
// # Devices
//
// There can be several devices, all alike; the current one is kept per thread
// of the system then, in Options.Current, so a caller must not change threads
// between SetDevice and what relies on it.
package softgpu
