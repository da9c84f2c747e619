// Package emu runs kernels: it decodes the text of a code object once, sets up
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
// A [Program] is decoded as a whole, but for what lies outside of its text: code of
// other objects, and of objects that nobody has told the size of, is fetched and
// decoded in pieces where a wave gets to it (far.go).
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
