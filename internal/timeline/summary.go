package timeline

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"text/tabwriter"

	"github.com/mgpu-runtime/mgpu/internal/calls"
	"github.com/mgpu-runtime/mgpu/internal/count"
)

// longestWaits is the number of waits in a summary.
const longestWaits = 5

// Summary writes totals of a timeline: kernels, copies, the longest waits, and the driver calls compared with those
// that MLIR's own library would have made.
func (d *Document) Summary(to io.Writer) error {
	var b strings.Builder
	first, last := d.span()
	fmt.Fprintf(&b, "%s on %s: %.3f ms, %s lost\n", d.Other.Program, d.Other.Driver, (last-first)/1000, count.Of(d.Other.Lost, "record"))
	d.summarizeWork(&b)
	d.summarizeWaits(&b)
	d.summarizeCalls(&b)
	_, err := io.WriteString(to, b.String())
	return err
}

func (d *Document) span() (first, last float64) {
	for i, e := range d.Events {
		if e.Phase != "X" {
			continue
		}
		if first == 0 || e.At < first {
			first = e.At
		}
		last = max(last, d.Events[i].At+e.Took)
	}
	return first, last
}

// spans are the durations of one kind of work, in microseconds.
type spans struct {
	name  string
	took  []float64
	bytes float64
}

func (s *spans) total() (sum float64) {
	for _, t := range s.took {
		sum += t
	}
	return sum
}

// at returns the duration that a share of the spans does not exceed.
func (s *spans) at(share float64) float64 {
	return s.took[min(int(share*float64(len(s.took))), len(s.took)-1)]
}

func (d *Document) summarizeWork(b *strings.Builder) {
	by := map[string]*spans{}
	for _, e := range d.Events {
		switch e.Category {
		case "kernel", "copy", "fill", "region", "bounds":
		default:
			continue
		}
		if e.Phase != "X" {
			continue
		}
		s := by[e.Category+e.Name]
		if s == nil {
			s = &spans{name: e.Name}
			by[e.Category+e.Name] = s
		}
		s.took = append(s.took, e.Took)
		bytes, _ := e.Args["bytes"].(float64)
		s.bytes += bytes
	}
	var all []*spans
	for _, s := range by {
		slices.Sort(s.took)
		all = append(all, s)
	}
	sort.Slice(all, func(i, j int) bool {
		a, b := all[i], all[j]
		return cmp.Or(cmp.Compare(b.total(), a.total()), strings.Compare(a.name, b.name)) < 0
	})
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "on the device\tcount\ttotal ms\tmedian us\tp99 us\tbytes\t")
	for _, s := range all {
		fmt.Fprintf(t, "%s\t%d\t%.3f\t%.3f\t%.3f\t%.0f\t\n", s.name, len(s.took), s.total()/1000, s.at(0.5), s.at(0.99), s.bytes)
	}
	_ = t.Flush()
}

func (d *Document) summarizeWaits(b *strings.Builder) {
	var waits []*Event
	for i := range d.Events {
		if e := &d.Events[i]; e.Phase == "X" && e.Category == "call" && calls.Named(e.Name).Does.Waits() {
			waits = append(waits, e)
		}
	}
	slices.SortStableFunc(waits, func(a, b *Event) int { return cmp.Compare(b.Took, a.Took) })
	for i, w := range waits[:min(len(waits), longestWaits)] {
		if i == 0 {
			b.WriteString("longest waits\n")
		}
		fmt.Fprintf(b, "  %.3f us at %.3f ms: %s", w.Took, w.At/1000, w.Name)
		if n, ok := w.Args["call"].(float64); ok {
			fmt.Fprintf(b, ", call %.0f", n)
		}
		if s, ok := w.Args["stream"].(string); ok {
			fmt.Fprintf(b, ", %s", s)
		}
		if by := d.endedBy(w); by != nil {
			fmt.Fprintf(b, ", for %s of %.3f us", by.Name, by.Took)
		}
		b.WriteByte('\n')
	}
}

// endedBy returns the work for whose end a wait waited; nil if unknown.
func (d *Document) endedBy(wait *Event) *Event {
	for i := range d.Events {
		in := &d.Events[i]
		if in.Phase != "f" || in.Name != "wait" || in.Process != wait.Process || in.Thread != wait.Thread || in.At < wait.At || in.At > wait.At+wait.Took {
			continue
		}
		for j := range d.Events {
			if e := &d.Events[j]; e.Phase == "X" && e.Process != wait.Process && e.At <= in.At && in.At-e.At-e.Took < 0.01 && in.At-e.At-e.Took > -0.01 && e.Category != "region" {
				return e
			}
		}
	}
	return nil
}

// summarizeCalls counts the calls. MLIR's own library makes one driver call for each.
func (d *Document) summarizeCalls(b *strings.Builder) {
	made, driver, inCalls, inDriver := 0, 0, 0.0, 0.0
	for _, e := range d.Events {
		switch {
		case e.Phase != "X":
		case e.Category == "call" && !strings.HasPrefix(e.Name, "mgpux"):
			made++
			inCalls += e.Took
		case e.Category == "driver":
			driver++
			inDriver += e.Took
		}
	}
	fmt.Fprintf(b, "%d mgpu calls in %.3f ms, with %d driver calls in %.3f ms; the stock library would have made %d\n", made, inCalls/1000, driver, inDriver/1000, made)
}
