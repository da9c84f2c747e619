// Package timeline makes timelines from the records of MGPU_TRACE: JSON for Perfetto and chrome://tracing, summaries
// and pictures.
//
//	part      reads a file of records
//	timeline  what the records mean: instants and flows
//	calls     slices of the host; devices and bounds: of devices; counters: memory, streams, submissions
//	chrome    the timeline as JSON; summary: as text; events: reads and merges JSON; picture: as SVG
//
// Functions may be called from any goroutine. A value is for one goroutine at a time.
package timeline
