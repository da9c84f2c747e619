package mgpu

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/mgpu-runtime/mgpu/internal/count"
	"github.com/mgpu-runtime/mgpu/internal/kernelstats"
)

// WriteTable writes the statistics as a table with a row for each called function. It makes one Write, so that no other
// output comes between the lines.
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
	s.writeFunctions(w)
	s.writeKernels(w)
	s.writeRegions(w)
	var waits Waits
	for d, m := range s.Memory {
		if m.Reserved == 0 && m.Allocated == 0 {
			continue
		}
		fmt.Fprintf(w, "memory of device %d: %s in use, %d at most, %d from the driver, %d cached; "+
			"%s, %d after waiting, %s; %s with work pending, %d that waited\n",
			d, count.Of(m.Live, "byte"), m.Peak, m.Reserved, m.Cached, count.Of(m.Reused, "hit"), m.Covered,
			count.Of(m.Allocated, "miss", "misses"), count.Of(m.Deferred, "free"), m.Waits.All())
		waits.Shared += m.Waits.Shared
		waits.Foreign += m.Waits.Foreign
		waits.Abandoned += m.Waits.Abandoned
	}
	if waits.All() != 0 {
		fmt.Fprintf(w, "frees that waited: %d since the host sees memory or output, %d for foreign streams, %d for destroyed ones\n",
			waits.Shared, waits.Foreign, waits.Abandoned)
	}
	for _, r := range s.Refusals {
		fmt.Fprintf(w, "not shared, %s: %s\n", count.Of(r.Times, "time"), r.Reason)
	}
	for i := range s.Leaks {
		fmt.Fprintf(w, "not given back: %s\n", &s.Leaks[i])
	}
	s.Launches.write(w)
	if s.profile != nil {
		if text, _ := s.profile.Profile(); text != "" {
			fmt.Fprintln(w, text)
		}
	}
	_, err := to.Write(w.Bytes())
	return err
}

// writeFunctions writes a row for each called function.
func (s *Snapshot) writeFunctions(w io.Writer) {
	sum := s.Total()
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "function\tcalls\tdriver calls\thits\tmisses\trefused\tdriver time\town time\tus/call\tshare\t")
	for _, f := range append(slices.Clone(s.Functions), sum) {
		if f.Calls == 0 && f.Name != sum.Name {
			continue
		}
		own := f.TotalNS - min(f.DriverNS, f.TotalNS)
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t\n", f.Name, f.Calls, f.DriverCalls, f.Hits, f.Misses, f.Refusals,
			kernelstats.Milliseconds(f.DriverNS), kernelstats.Milliseconds(own), kernelstats.Each(f.TotalNS, f.Calls), kernelstats.Share(f.TotalNS, sum.TotalNS))
	}
	_ = t.Flush()
}

// Total returns the sum of the functions' rows.
func (s *Snapshot) Total() FunctionStats {
	sum := FunctionStats{Name: "total"}
	for _, f := range s.Functions {
		sum.Calls += f.Calls
		sum.DriverCalls += f.DriverCalls
		sum.Hits += f.Hits
		sum.Misses += f.Misses
		sum.Refusals += f.Refusals
		sum.DriverNS += f.DriverNS
		sum.TotalNS += f.TotalNS
	}
	return sum
}

func (s *Snapshot) writeKernels(w io.Writer) {
	kernelstats.Write(w, s.Kernels, true)
	s.writeHostCallers(w)
}

// writeHostCallers names the kernels that call the host.
func (s *Snapshot) writeHostCallers(w io.Writer) {
	var names []string
	for i := range s.Kernels {
		if k := &s.Kernels[i]; k.CallsHost && len(names) < kernelstats.TableRows {
			names = append(names, kernelstats.ShortName(k.Name))
		}
	}
	if len(names) != 0 {
		fmt.Fprintf(w, "kernels that call the host (printf, assert or malloc): %s\n", strings.Join(names, ", "))
	}
}

func (s *Snapshot) writeRegions(w io.Writer) {
	if len(s.Regions) == 0 {
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "region\tnodes\tby graph\tcall by call\tgraphs made\t")
	for _, r := range s.Regions[:min(len(s.Regions), kernelstats.TableRows)] {
		fmt.Fprintf(t, "%#x\t%d\t%d\t%d\t%d\t\n", r.Key, r.Nodes, r.Launches, r.CallByCall, r.Built)
	}
	_ = t.Flush()
	kernelstats.WriteMore(w, "regions", len(s.Regions))
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
