package mgpu

import (
	"sync/atomic"
	"time"

	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/internal/trace"
)

// shards is the number of copies of each counter, so that threads rarely share a cache line.
const (
	shardBits = 4
	shards    = 1 << shardBits
)

// counters counts one function's events in one shard and fills a cache line. Hits are the calls minus the others, so
// the common case needs no counter.
type counters struct {
	calls, driverCalls, misses, refusals, driverNS, totalNS atomic.Uint64
	others                                                  atomic.Uint64 // neither hit, miss nor refusal
	_                                                       uint64
}

type stats struct {
	timing  bool
	trace   *trace.Switch
	perCall [listedCalls][shards]counters
	kernels kernelCounters // counts if timing is set

	mu      locks.Mutex[locks.Counters]
	refused map[string]uint64 // by reason: number of refusals
}

var processStart = time.Now()

// now returns a monotonic time in nanoseconds, never zero.
func now() int64 { return int64(time.Since(processStart)) + 1 }
