// Package emu runs kernels: it decodes the code that waves get to, sets up
// waves as the hardware does at the start of a dispatch, and schedules waves,
// workgroups and whole grids over the cores.
//
// # Scheduling
//
// A workgroup lives on one goroutine: its waves take turns of a few thousand
// instructions, so waves that wait for each other through LDS all get on. A
// worker (one goroutine) starts workgroups in the order of their numbers and
// normally finishes one before it starts the next. A workgroup that runs long,
// or whose waves all sleep, is set aside while the worker starts further ones,
// until as many are resident as the chip could hold; then they take turns. So
// a barrier over all workgroups of a grid works here wherever it works on the
// chip. The Go scheduler is called between turns: nothing relies on
// asynchronous preemption.
//
// # Code
//
// A [Program] decodes nothing until a wave gets there, and then a page of 4 KiB (page.go).
// Instructions with plain operands that follow each other are joined to runs ([gcn.Run]).
// Where instructions begin is found by reading a function from its beginning
// (segment.go), which is also when a kernel is refused for an instruction that can't run.
// Code outside of the program's text, of other objects and of objects that nobody has
// told the size of, is fetched in pieces (far.go). Lock order: far.mu, segment.mu.
//
// # Faults
//
// Whatever a wave does wrong, a panic inside an instruction included, ends the
// dispatch with a [*Fault]. The first one wins; the other workers stop at the
// end of their turn.
//
// # Concurrency
//
// A [Machine] and a [Program] may be used by any number of goroutines. A
// [Dispatch] belongs to the one that runs it, until Run returns. The only lock
// is the Machine's, around its pools; nothing is called with it held but
// [Backing].
package emu
