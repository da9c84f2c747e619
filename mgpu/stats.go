package mgpu

import "github.com/mgpu-runtime/mgpu/internal/calls"

// FunctionStats counts the calls of one mgpu function.
type FunctionStats struct {
	Name        string `json:"name"`
	Calls       uint64 `json:"calls"`
	DriverCalls uint64 `json:"driver_calls"` // driver calls made for these calls
	Hits        uint64 `json:"hits"`         // served from a pool or cache
	Misses      uint64 `json:"misses"`       // served by the driver
	Refusals    uint64 `json:"refused"`      // modules that could not be shared
	DriverNS    uint64 `json:"driver_ns"`    // nanoseconds inside the driver; zero unless Config.Timing
	TotalNS     uint64 `json:"total_ns"`     // nanoseconds in total; zero unless Config.Timing
}

// Functions returns the number of mgpu functions that are counted.
func Functions() int { return listedCalls }

// CallName returns the name of a function of the call list. The first [Functions] of the list are counted.
func CallName(call int) string { return callNames[call] }

// CallNumber returns the number of calls that the program has made, including the current one.
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
