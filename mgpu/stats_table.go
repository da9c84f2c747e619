package mgpu

import (
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// WriteTable writes the statistics as a table with a row for each called function. It writes
// once, so that no other output comes between the lines.
func (s *Snapshot) WriteTable(to io.Writer) error {
	w := new(bytes.Buffer)
	cache := "on"
	if !s.Cache {
		cache = "off"
	}
	of := ""
	if s.Label != "" {
		of = " of " + s.Label
	}
	fmt.Fprintf(w, "mgpu statistics%s: driver %s, device %s, cache %s\n", of, orElse(s.Driver, "none"), orElse(s.Device, "none"), cache)
	if s.Chosen != "" {
		fmt.Fprintf(w, "threads begin with %s\n", s.Chosen)
	}
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
	_ = t.Flush()
	var waits Waits
	for d, m := range s.Memory {
		if m.Reserved == 0 && m.Allocated == 0 {
			continue
		}
		fmt.Fprintf(w, "memory of device %d: %d bytes in use, %d at most, %d from the driver, %d cached; "+
			"%d hits, %d after waiting, %d misses; %d frees with work pending, %d that waited\n",
			d, m.Live, m.Peak, m.Reserved, m.Cached, m.Reused, m.Covered, m.Allocated, m.Deferred, m.Waits.All())
		waits.Shared += m.Waits.Shared
		waits.Foreign += m.Waits.Foreign
		waits.Abandoned += m.Waits.Abandoned
	}
	if waits.All() != 0 {
		fmt.Fprintf(w, "frees that waited: %d as the host sees memory, %d for foreign streams, %d for destroyed ones\n",
			waits.Shared, waits.Foreign, waits.Abandoned)
	}
	for _, r := range s.Refusals {
		fmt.Fprintf(w, "not shared, %d times: %s\n", r.Times, r.Reason)
	}
	s.Launches.write(w)
	_, err := to.Write(w.Bytes())
	return err
}

func writeRow(w io.Writer, f FunctionStats) {
	own := f.TotalNS - min(f.DriverNS, f.TotalNS)
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t\n", f.Name, f.Calls, f.DriverCalls, f.Hits, f.Misses, f.Refusals,
		milliseconds(f.DriverNS), milliseconds(own))
}

func milliseconds(ns uint64) string {
	return fmt.Sprintf("%.3f ms", float64(ns)/float64(time.Millisecond))
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
