package mgpu

import (
	"sort"
	"sync"
	"sync/atomic"
)

// shards is how many copies of each counter there are, so that threads do not
// fight for a cache line.
const (
	shardBits = 4
	shards    = 1 << shardBits
)

// counters counts one function's events in one shard; it fills a cache line. Hits
// are what remains of the calls: the common case then needs no counter.
type counters struct {
	calls, driverCalls, misses, refusals, driverNS, totalNS atomic.Uint64
	others                                                  atomic.Uint64 // neither hit nor miss nor refusal
	_                                                       uint64
}

type stats struct {
	timing  bool
	perCall [listedCalls][shards]counters

	mu      sync.Mutex
	refused map[string]uint64 // reason -> times
}

// refuse counts a module that was not shared, with the reason.
func (f *frame) refuse(reason string) {
	f.c.refusals.Add(1)
	s := &f.r.stats
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused == nil {
		s.refused = map[string]uint64{}
	}
	s.refused[reason]++
}

// FunctionStats counts what one mgpu function did.
type FunctionStats struct {
	Name        string
	Calls       uint64
	DriverCalls uint64 // driver calls made for them
	Hits        uint64 // answered from a pool or cache
	Misses      uint64 // had to ask the driver
	Refusals    uint64 // loads that could not be shared
	DriverNS    uint64 // nanoseconds inside the driver; zero unless Config.Timing
	TotalNS     uint64 // nanoseconds in all; zero unless Config.Timing
}

// Refusal is a reason for which modules were not shared.
type Refusal struct {
	Reason string
	Times  uint64
}

// Snapshot is the statistics at one moment.
type Snapshot struct {
	Driver, Device string // empty before the first call
	Cache          bool
	Functions      []FunctionStats // every function of the ABI, in the order of the header
	Refusals       []Refusal       // by reason
	Memory         []MemoryStats   // by device; empty where device memory is not kept
	Launches       LaunchStats
}

// Snapshot gathers the statistics. Calls under way may be counted in part.
func (r *Runtime) Snapshot() Snapshot {
	s := Snapshot{Cache: !r.cfg.NoCache}
	if k := r.core.Load(); k != nil {
		s.Driver, s.Device = k.drv.Name(), k.drv.DeviceName(0)
	}
	if k := r.core.Load(); k != nil && k.memory != nil {
		for d := range k.devices {
			s.Memory = append(s.Memory, r.MemoryStats(d))
		}
	}
	for i := range listedCalls {
		s.Functions = append(s.Functions, r.Function(i))
		s.Functions[i].Name = callNames[i]
	}
	s.Launches = r.launchStats()
	r.stats.mu.Lock()
	defer r.stats.mu.Unlock()
	for reason, n := range r.stats.refused {
		s.Refusals = append(s.Refusals, Refusal{reason, n})
	}
	sort.Slice(s.Refusals, func(i, j int) bool { return s.Refusals[i].Reason < s.Refusals[j].Reason })
	return s
}

// Functions is the number of mgpu functions that are counted.
func Functions() int { return listedCalls }

// CallName is the name of a function of the call list, of which the first [Functions]
// are counted.
func CallName(call int) string { return callNames[call] }

// calls is how many calls the program has made.
func (r *Runtime) calls() uint64 {
	n := uint64(0)
	for i := range listedCalls {
		n += r.Function(i).Calls
	}
	return n
}

// Function gathers the counters of function i, without its name and without
// allocating.
func (r *Runtime) Function(i int) FunctionStats {
	var f FunctionStats
	var others uint64
	for j := range r.stats.perCall[i] {
		c := &r.stats.perCall[i][j]
		f.Calls += c.calls.Load()
		f.DriverCalls += c.driverCalls.Load()
		others += c.others.Load()
		f.Misses += c.misses.Load()
		f.Refusals += c.refusals.Load()
		f.DriverNS += c.driverNS.Load()
		f.TotalNS += c.totalNS.Load()
	}
	if c := r.cfg.FastPath; c != nil {
		ns := c.DriverTime(i)
		f.Calls = c.Calls(i)
		f.DriverCalls += c.DriverCalls(i)
		f.DriverNS += ns
		f.TotalNS += ns
	}
	if canHit[i] && !r.cfg.NoCache {
		f.Hits = f.Calls - min(f.Calls, f.Misses+f.Refusals+others)
	}
	return f
}
