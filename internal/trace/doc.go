// Package trace is the timeline of a process: what MGPU_TRACE writes.
//
// While the process runs, each thread writes binary records into a file that is mapped
// shared (FILE.part): a record survives whatever ends the process. At exit, or by
// mgpu trace, the records become JSON that Perfetto and chrome://tracing open.
//
// layout    the file: a header, an area of text, and segments of records
// file      the file's name and how it is made
// recorder  records that Go writes; C writes those of calls (internal/fastpath/trace.c)
// part      reads a file back
// timeline  what the records say: instants and flows
// calls     slices of the host; devices and bounds: of devices; counters: memory, streams, submissions
// chrome    the timeline as JSON; summary: as text; merge: of several processes; picture: as SVG
//
// A segment belongs to one thread of C, or to one of the recorder's shards, which a lock
// guards; records are written in place, their kind last. All functions but those may be
// called from any goroutine. A nil Recorder records nothing.
package trace
