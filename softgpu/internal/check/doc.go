// Package check watches what kernels do on the software GPU and reports what a
// GPU would not: accesses beside and after their blocks, races, reads of memory
// that nobody wrote, barriers that not everybody reaches, registers that are used
// before the s_waitcnt that they need.
//
// A [Checker] belongs to a driver. For each launch it makes a [Launch], which
// package emu tells of every access before it happens. Reports are written when
// they are found, the first of each kind for each instruction only, and are
// counted; [Checker.Summary] tells the counts.
//
// # What is remembered
//
// Of each block of device memory, which bytes were written ([Written]). Of each
// word that a launch touches, and of each word of a workgroup's LDS, the last
// write and two reads by different work-items: who, where, and when. "When" is
// a count of the launch's synchronizations. An access is ordered after another
// by program order within a wave, by barriers within a workgroup, and by
// atomics: what reads a value that an atomic left, or polls a word, comes after
// all that its writer did before. See clock for how that is kept.
//
// Of each wave, which memory instructions it has issued and not waited for, and in
// which order their counters tell that they have ended (waits.go).
//
// An access is noted before its instruction executes. Of global memory's, all but plain
// loads hold the launch's lock from the one to the other, so that the order of notes is
// the order of what was read and written.
//
// Where memory for that would grow without bound, accesses are taken to be
// ordered: reports can then be missing, never wrong.
//
// # Concurrency
//
// A Checker and a Launch may be used by any number of goroutines; a workgroup's
// watch belongs to the one that runs the workgroup. A Launch's lock is held while an
// instruction executes, which may look for memory windows. A Launch's locks may be held
// when a Checker's is taken, and that one while Blocks describes an address, the
// report is written and Abort called.
package check
