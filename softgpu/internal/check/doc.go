// Package check checks the kernels of the software GPU and reports errors that a GPU would not report: accesses beside
// and after their blocks, races, reads of unwritten memory, barriers in divergent code, and registers that are
// used before the s_waitcnt that they need.
//
// A [Checker] belongs to a driver. For each launch it makes a [Launch], which package emu calls before every access. A
// report is written when the error is found, only for the first error of each kind at each instruction. All errors are
// counted; [Checker.Summary] returns the counts.
//
// # State
//
// For each block of device memory: which bytes were written ([Written]). For each word that a launch accesses, and each
// word of a workgroup's LDS: the last write and two reads by different work-items, each with who, where and when.
// "When" is a count of the launch's synchronizations. Accesses are ordered by program order within a wave, by barriers
// within a workgroup, and by atomics: a wave that reads a value which an atomic left, or that polls a word, comes after
// everything that the writer did before. See clock for the representation.
//
// For each wave: which memory instructions it has issued and not waited for, and in which order their counters report
// their ends (waits.go). For each word that a wave was still accessing when it reached a barrier: by which instruction,
// and until when (unfinished.go).
//
// An access is noted before its instruction executes. For accesses to global memory, except plain loads, the launch's
// lock is held from the note to the execution, so that the order of notes is the order of the accesses.
//
// If the state would grow without bound, accesses are assumed to be ordered: reports may then be missing, but are never
// wrong.
//
// # Concurrency
//
// A Checker and a Launch may be used by any number of goroutines. A workgroup's watch belongs to the goroutine that
// runs the workgroup. A Launch's lock is held while an instruction executes, which may look up memory windows. A
// Checker's lock may be taken while a Launch's locks are held. It is held while Blocks describes an address, the report
// is written and Abort is called.
package check
