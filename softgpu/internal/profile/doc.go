// Package profile counts what kernels execute, and follows approximate results.
//
// A [Profile] wraps the step of each instruction of a program ([Profile.Around]); nothing of it runs in
// programs that are not wrapped. Each workgroup counts for itself and adds its counts to its kernel's
// when it is over.
//
//	modes.go      what is asked for
//	site.go       what is known of an instruction before a wave gets there
//	workgroup.go  counts of a workgroup
//	lds.go        conflicts of LDS
//	marks.go      which registers hold what depends on an approximate result
//	memory.go     which words of memory do
//	kernel.go     sums of a kernel
//	report.go     as JSON and as text
//
// Locks: Profile.mu before kernel.mu; Launch.marks.mu alone. A workgroup belongs to one goroutine.
package profile
