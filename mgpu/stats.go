package mgpu

import (
	"sort"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/calls"
	"github.com/mgpu-runtime/mgpu/internal/trace"
)

// shards is the number of copies of each counter: threads then rarely share a cache line.
const (
	shardBits = 4
	shards    = 1 << shardBits
)

// counters counts one function's events in one shard and fills a cache line. Hits are calls
// minus the others: the common case needs no counter.
type counters struct {
	calls, driverCalls, misses, refusals, driverNS, totalNS atomic.Uint64
	others                                                  atomic.Uint64 // neither hit, miss nor refusal
	_                                                       uint64
}

type stats struct {
	timing  bool
	trace   *trace.Switch
	perCall [listedCalls][shards]counters
	kernels kernelCounters // counts where timing is set

	mu      sync.Mutex
	refused map[string]uint64 // reason -> times
}

// refuse counts a module that can't be shared, by reason.
func (f *frame) refuse(reason string) {
	f.counters.refusals.Add(1)
	f.r.cfg.Trace.On().Outcome(trace.Refused, reason)
	s := &f.r.stats
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused == nil {
		s.refused = map[string]uint64{}
	}
	s.refused[reason]++
}

// FunctionStats counts the calls of one mgpu function.
type FunctionStats struct {
	Name        string `json:"name"`
	Calls       uint64 `json:"calls"`
	DriverCalls uint64 `json:"driver_calls"` // made for those calls
	Hits        uint64 `json:"hits"`         // answered from a pool or cache
	Misses      uint64 `json:"misses"`       // passed on to the driver
	Refusals    uint64 `json:"refused"`      // modules that could not be shared
	DriverNS    uint64 `json:"driver_ns"`    // nanoseconds inside the driver; zero unless Config.Timing
	TotalNS     uint64 `json:"total_ns"`     // nanoseconds in all; zero unless Config.Timing
}

// Refusal is a reason why modules were not shared.
type Refusal struct {
	Reason string `json:"reason"`
	Times  uint64 `json:"times"`
}

// Snapshot holds the statistics at one moment.
type Snapshot struct {
	Driver, Device string // empty before the first call
	Label          string // of the process among several; empty: it is alone
	Chosen         string // how the device that threads begin with was chosen; empty: it was not
	Cache          bool
	Functions      []FunctionStats // all of the ABI, in the header's order
	Kernels        []KernelStats   // none unless Config.Timing
	Regions        []RegionStats
	Refusals       []Refusal     // by reason
	Memory         []MemoryStats // by device; empty where device memory is not cached
	Launches       LaunchStats
	Leaks          []Leak // what is not given back; empty unless calls are noted
}

// Snapshot gathers the statistics. Calls under way may be counted in part.
func (r *Runtime) Snapshot() Snapshot {
	s := Snapshot{Label: r.cfg.Label, Cache: !r.cfg.NoCache}
	if k := r.core.Load(); k != nil {
		s.Driver, s.Device, s.Chosen = k.drv.Name(), k.drv.DeviceName(k.chosen), k.how
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
	s.Kernels, s.Regions = r.kernelStats(), r.regions.Stats()
	s.Leaks = r.Leaks()
	r.stats.mu.Lock()
	defer r.stats.mu.Unlock()
	for reason, n := range r.stats.refused {
		s.Refusals = append(s.Refusals, Refusal{reason, n})
	}
	sort.Slice(s.Refusals, func(i, j int) bool { return s.Refusals[i].Reason < s.Refusals[j].Reason })
	return s
}

// Functions returns the number of mgpu functions that are counted.
func Functions() int { return listedCalls }

// CallName returns the name of a function of the call list. The first [Functions] are counted.
func CallName(call int) string { return callNames[call] }

// CallNumber returns the number of calls that the program has made, the current one
// included.
func (r *Runtime) CallNumber() uint64 { return r.calls() }

// calls returns the number of calls that the program has made.
func (r *Runtime) calls() uint64 {
	n := uint64(0)
	for i := range listedCalls {
		n += r.Function(i).Calls
	}
	return n
}

// Function gathers the counters of function i without its name. It does not allocate.
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
	if calls.List[i].Cached && !r.cfg.NoCache {
		f.Hits = f.Calls - min(f.Calls, f.Misses+f.Refusals+others)
	}
	return f
}
