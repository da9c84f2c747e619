// Package trace records what MGPU_TRACE asks for.
//
// Each thread writes binary records into a file that is mapped shared (FILE.part), so records
// survive whatever ends the process. The command makes timelines of such files, by package
// internal/timeline.
//
// layout    the file: a header, an area of text, and segments of records
// file      the file's name and how it is made
// recorder  records that Go writes; C writes those of calls (internal/fastpath/trace.c)
//
// A segment belongs to one thread of C, or to one of the recorder's shards, which a lock
// guards; records are written in place, their kind last. All functions but those may be
// called from any goroutine. A nil Recorder records nothing.
package trace
