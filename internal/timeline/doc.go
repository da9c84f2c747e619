// Package timeline makes timelines of the records of MGPU_TRACE: JSON that Perfetto and
// chrome://tracing open, summaries and pictures.
//
// part      reads a file of records back
// timeline  what the records say: instants and flows
// calls     slices of the host; devices and bounds: of devices; counters: memory, streams, submissions
// chrome    the timeline as JSON; summary: as text; events: reads and merges JSON; picture: as SVG
//
// Functions may be called from any goroutine; a value is one goroutine's.
package timeline
