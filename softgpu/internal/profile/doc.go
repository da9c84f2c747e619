// Package profile counts what kernels execute, and follows approximate results.
//
// A [Profile] wraps the step of each instruction of a program ([Profile.Around]); programs that are not wrapped are not
// affected. Each workgroup has its own counts and adds them to its kernel's when it ends.
//
//	modes.go      what to profile
//	site.go       what is known of an instruction before a wave reaches it
//	workgroup.go  counts of a workgroup
//	lds.go        conflicts of LDS
//	marks.go      which registers depend on an approximate result
//	memory.go     which words of memory depend on one
//	kernel.go     sums of a kernel
//	report.go     as JSON and as text
//
// Locks: those of programs, then Profile.mu, then kernel.mu; globalMarks.mu alone. A workgroup belongs to
// one goroutine.
package profile
