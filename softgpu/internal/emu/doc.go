// Package emu runs kernels. It decodes the code that waves reach, sets up waves as the hardware does at the start of a
// dispatch, and schedules waves, workgroups and grids on the cores.
//
// # Scheduling
//
// One goroutine runs a workgroup: its waves alternate after a few thousand instructions each, so waves that wait for
// each other through LDS all make progress. A worker (one goroutine) starts workgroups in the order of their numbers
// and normally finishes one before it starts the next. If a workgroup runs long, or all its waves sleep, the worker
// suspends it and starts further workgroups, until as many are resident as fit on the chip; then these alternate. So a
// barrier over all workgroups of a grid works here if it works on the chip. Workers call the Go scheduler between
// turns; nothing relies on asynchronous preemption.
//
// # Code
//
// A [Program] decodes code when a wave reaches it, a page of 4 KiB at a time (page.go). Consecutive instructions with
// plain operands are joined to runs ([gcn.Run]). Reading a function from its beginning finds where instructions begin
// (segment.go); at that time a kernel is refused for an instruction that can't run. Code outside of the program's text,
// in other objects or in memory of unknown size, is fetched in pieces (far.go). Lock order: far.mu, segment.mu.
//
// # Faults
//
// Any error of a wave, including a panic inside an instruction, ends the dispatch with a [*Fault]. The first fault
// counts. The other workers stop at the end of their turn.
//
// # Concurrency
//
// A [Machine] and a [Program] may be used by any number of goroutines. A [Dispatch] belongs to the goroutine that runs
// it, until Run returns. The only other lock is the Machine's, which guards its pools; only [Backing] is called while
// it is held.
package emu
