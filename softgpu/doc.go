// Package softgpu is a driver over a software AMD GPU. It has memory, streams, events and modules with HIP's semantics,
// and HIP's names of errors. Package emu executes the kernels.
//
// # Memory
//
// Device memory comes from the system's pages, not from the Go heap, and host and device use the same addresses. The
// exact range of every block is known. An access next to a block is a fault, except in the rest of the block's last
// page of 4 KiB, as on a GPU. If Options.Check checks memory, and in copies and fills, blocks end at their last byte. A
// kernel may also access any other memory that the process has mapped, as on GPUs that share the host's page tables;
// view says what happens if the host unmaps it meanwhile. The operating system makes copies to and from host memory, so
// a bad pointer is an error and not a signal.
//
// # Streams
//
// A stream is a queue. While it has work, one goroutine runs it. The submission starts this goroutine; or a caller that
// waits for a stream that no thread runs runs it itself, which saves two thread switches in the common launch and
// synchronize. So streams progress independently, and an idle stream costs nothing. All streams are ordered with the
// null stream, as with HIP's default flag. This order, waits for events, and waits of the host use fences: "stream s
// has finished n operations". The operations of a fence were submitted before the operation that waits for it, so waits
// can't form a cycle.
//
// A kernel that fails does not stop its stream. Its first failure is stored and reported once, by the first later call
// that waits for the stream, for an event after the failure, for a stream whose work waited for that event or for the
// null stream, or for the device; that queries whether they are done; or that destroys the stream. The stream continues
// with its later work. If a stream is destroyed while it has work, a later failure is reported by the next call that
// waits for the device: hipFree, or a synchronize of the null stream. A stream that has waited for no other stream
// reports only its own failures. Driver.Failures returns the failures that no call has reported; the library calls it
// at the end of the process.
//
// # Concurrency
//
// All methods of Driver may be called by any number of goroutines. Locks are taken in this order. None is held while a
// kernel runs or while a fence is waited for:
//
//	graphExec.mu, graph.mu, device.order, stream.mu, event.mu, view.mu, heap.mu
//
// The locks of the tables and of the registrations are leaves: no lock is taken under them.
//
// # Devices
//
// There may be several devices, all alike. The current device is then stored per thread of the system, in
// Options.Current, so a caller must not change threads between SetDevice and a call that relies on it.
package softgpu
