package mgpu

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// WriteTable prints the statistics as one table: a row for each function that
// was called.
func (s *Snapshot) WriteTable(w io.Writer) error {
	cache := "on"
	if !s.Cache {
		cache = "off"
	}
	fmt.Fprintf(w, "mgpu statistics: driver %s, device %s, cache %s\n", or(s.Driver, "none"), or(s.Device, "none"), cache)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "function\tcalls\tdriver calls\thits\tmisses\trefused\tdriver time\town time\t")
	sum := FunctionStats{Name: "total"}
	for _, f := range s.Functions {
		if f.Calls == 0 {
			continue
		}
		writeRow(t, f)
		sum.Calls += f.Calls
		sum.DriverCalls += f.DriverCalls
		sum.Hits += f.Hits
		sum.Misses += f.Misses
		sum.Refusals += f.Refusals
		sum.DriverNS += f.DriverNS
		sum.TotalNS += f.TotalNS
	}
	writeRow(t, sum)
	if err := t.Flush(); err != nil {
		return err
	}
	for d, m := range s.Memory {
		if m.Reserved == 0 && m.Allocated == 0 {
			continue
		}
		fmt.Fprintf(w, "memory of device %d: %d bytes in use, %d at most, %d from the driver, %d cached; "+
			"%d hits, %d after waiting, %d misses; %d frees with work pending, %d that waited\n",
			d, m.Live, m.Peak, m.Reserved, m.Cached, m.Reused, m.Covered, m.Allocated, m.Deferred, m.Waits.All())
		if n := m.Waits; n.All() != 0 {
			fmt.Fprintf(w, "frees that waited: %d as the host sees memory, %d for foreign streams, %d for destroyed ones\n",
				n.Shared, n.Foreign, n.Abandoned)
		}
		if m.Copies.Staged != 0 {
			fmt.Fprintf(w, "copies: %d staged\n", m.Copies.Staged)
		}
	}
	for _, r := range s.Refusals {
		fmt.Fprintf(w, "not shared, %d times: %s\n", r.Times, r.Reason)
	}
	s.Launches.write(w)
	return nil
}

func writeRow(w io.Writer, f FunctionStats) {
	own := f.TotalNS - min(f.DriverNS, f.TotalNS)
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t\n", f.Name, f.Calls, f.DriverCalls, f.Hits, f.Misses, f.Refusals,
		milliseconds(f.DriverNS), milliseconds(own))
}

func milliseconds(ns uint64) string {
	return fmt.Sprintf("%.3f ms", float64(ns)/float64(time.Millisecond))
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
