// Package heaplimit keeps Go's memory limit above what is live, for libraries that collect at a limit alone (GOGC=off,
// GOMEMLIMIT: internal/guest/start.c).
package heaplimit

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Follow sets the memory limit at the end of each collection: to twice what is live, and at least to the limit that is
// set now. With a fixed limit the collector would run all the time as soon as that much is live, as with megabytes of
// kernels that the software GPU has decoded. Without a limit Follow does nothing. Call it once.
func Follow() {
	if least := debug.SetMemoryLimit(-1); least != math.MaxInt64 {
		after(least)
	}
}

// collection is garbage. It has a pointer, since the runtime keeps small objects without pointers together in blocks.
type collection struct {
	least int64
	_     *byte
}

// after has the limit set once the next collection has found its garbage.
func after(least int64) { runtime.SetFinalizer(&collection{least: least}, (*collection).found) }

func (c *collection) found() {
	if limit := limitFor(c.least); differs(debug.SetMemoryLimit(-1), limit) {
		debug.SetMemoryLimit(limit)
	}
	after(c.least)
}

// limitFor returns the limit for what the last collection found live. The limit counts the heap without its free
// memory, and the runtime's stacks and tables.
func limitFor(least int64) int64 {
	s := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"},
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(s)
	limit := int64(2*s[0].Value.Uint64() + s[1].Value.Uint64())
	for _, heap := range s[2:] {
		limit -= int64(heap.Value.Uint64())
	}
	return max(least, limit)
}

// differs reports whether a limit is worth setting, for which the world stops: by an eighth.
func differs(now, limit int64) bool { return limit > now+now/8 || limit < now-now/8 }
