// Package trace is the recorder of MGPU_TRACE.
//
// Each thread writes binary records to a file (FILE.part) that is mapped shared, so records survive any end of the
// process. The command makes timelines of such files (internal/timeline).
//
//	layout    the file: a header, a text area, and segments of records
//	file      the name and the creation of the file
//	recorder  records of Go; C writes those of calls (internal/fastpath/trace.c)
//
// A segment belongs to one thread of C, or to one of the recorder's shards, which a lock guards. Records are written in
// place, with their kind last. All functions may be called from any goroutine. A nil Recorder records nothing.
package trace
