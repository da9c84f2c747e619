package mgpu

import (
	"sort"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Refusal is a reason why modules were not shared.
type Refusal struct {
	Reason string `json:"reason"`
	Times  uint64 `json:"times"`
}

// Snapshot holds the statistics at one moment.
type Snapshot struct {
	Driver, Device string // empty before the first call
	Label          string // the process's label; empty: the process is alone
	Chosen         string // how the device of threads at their start was chosen; empty: it was not chosen
	Cache          bool
	Functions      []FunctionStats // all functions of the ABI, in the header's order
	Kernels        []KernelStats   // empty unless Config.Timing
	Regions        []RegionStats
	Refusals       []Refusal     // by reason
	Memory         []MemoryStats // by device; empty if device memory is not cached
	Launches       LaunchStats
	Leaks          []Leak // what is not released; empty unless calls are noted

	profile driver.Profiler // nil: the driver knows nothing of what kernels do
}

// Snapshot returns the statistics. Calls in progress may be counted in part.
func (r *Runtime) Snapshot() Snapshot {
	s := Snapshot{Label: r.cfg.Label, Cache: !r.cfg.NoCache}
	if k := r.core.Load(); k != nil {
		s.Driver, s.Device, s.Chosen = k.drv.Name(), k.drv.DeviceName(k.chosen), k.how
		s.profile, _ = k.drv.(driver.Profiler)
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

// kernelStats returns a row for each kernel, sorted by time, then by number of launches.
func (r *Runtime) kernelStats() (rows []KernelStats) {
	k := &r.stats.kernels
	k.mu.Lock()
	defer k.mu.Unlock()
	if r.cfg.FastPath != nil {
		k.settle(r.cfg.FastPath, func(Launches) bool { return true })
	}
	rows = k.counts.Rows()
	for i := range rows {
		rows[i].CallsHost = k.callsHost[rows[i].Name]
	}
	return rows
}
