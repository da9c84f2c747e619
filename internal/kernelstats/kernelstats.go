// Package kernelstats counts launches by kernel, and writes the counts as rows of a table or of JSON. The runtime library
// has such statistics for programs that call mgpu, and the stand-in for AMD's driver for those that call HIP.
//
// Concurrency: the caller serializes all use of a Counts.
package kernelstats

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ianlancetaylor/demangle"
)

// Kernel counts the launches of the kernels with one name.
type Kernel struct {
	Name     string  `json:"name"`
	Launches uint64  `json:"launches"`
	ByGraph  uint64  `json:"by_graph"`   // launches of these by one-node graphs
	InRegion uint64  `json:"in_regions"` // launches of these by regions' graphs
	Timed    uint64  `json:"timed"`      // launches of these whose time on the device is known
	DeviceNS uint64  `json:"device_ns"`  // time of the timed launches
	Shapes   []Shape `json:"shapes"`     // the most frequent first

	CallsHost bool `json:"calls_host"` // the kernel can print, assert or allocate
}

// Shape counts launches with one grid and block size.
type Shape struct {
	Grid     [3]uint32 `json:"grid"`
	Block    [3]uint32 `json:"block"`
	Launches uint64    `json:"launches"`
}

// Other stands for all kernels beyond the limit of names.
const Other = "(other kernels)"

// MostNames is the number of kernels, and mostShapes that of a kernel's shapes, that are counted apart.
const (
	MostNames  = 4096
	mostShapes = 256
)

// Counts are launches by the names of kernels.
type Counts struct{ byName map[string]*counted }

type counted struct {
	Kernel
	shapes map[dims]uint64
}

type dims struct{ grid, block [3]uint32 }

// Of returns the row of a name, to which the caller adds what is not counted by shape.
func (c *Counts) Of(name string) *Kernel { return &c.of(name).Kernel }

func (c *Counts) of(name string) *counted {
	k := c.byName[name]
	if k == nil && len(c.byName) >= MostNames {
		name = Other
		k = c.byName[name]
	}
	if k == nil {
		if c.byName == nil {
			c.byName = map[string]*counted{}
		}
		k = &counted{Kernel{Name: name}, map[dims]uint64{}}
		c.byName[name] = k
	}
	return k
}

// Add counts launches of one shape.
func (c *Counts) Add(name string, grid, block [3]uint32, launches uint64) {
	k, d := c.of(name), dims{grid, block}
	k.Launches += launches
	if _, known := k.shapes[d]; known || len(k.shapes) < mostShapes {
		k.shapes[d] += launches
	}
}

// Rows returns the kernels, sorted by time, then by number of launches.
func (c *Counts) Rows() (rows []Kernel) {
	for _, k := range c.byName {
		row := k.Kernel
		for d, n := range k.shapes {
			row.Shapes = append(row.Shapes, Shape{d.grid, d.block, n})
		}
		slices.SortFunc(row.Shapes, func(a, b Shape) int {
			return cmp.Or(cmp.Compare(b.Launches, a.Launches), slices.Compare(a.Grid[:], b.Grid[:]), slices.Compare(a.Block[:], b.Block[:]))
		})
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b Kernel) int {
		return cmp.Or(cmp.Compare(b.DeviceNS, a.DeviceNS), cmp.Compare(b.Launches, a.Launches), cmp.Compare(a.Name, b.Name))
	})
	return rows
}

// shape returns the shape in which a kernel is launched, as text.
func (k *Kernel) shape() string {
	if len(k.Shapes) != 1 {
		return fmt.Sprintf("%d shapes", len(k.Shapes))
	}
	s := k.Shapes[0]
	return fmt.Sprintf("%d,%d,%d x %d,%d,%d", s.Grid[0], s.Grid[1], s.Grid[2], s.Block[0], s.Block[1], s.Block[2])
}

// TableRows is the number of rows of one kind that a table lists.
const TableRows = 40

// Write writes a table of kernels, with graphs' launches if the program can have such.
func Write(w io.Writer, kernels []Kernel, graphs bool) {
	if len(kernels) == 0 {
		return
	}
	sum := uint64(0)
	for i := range kernels {
		sum += kernels[i].DeviceNS
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	byGraphs := ""
	if graphs {
		byGraphs = "by graph\tin regions\t"
	}
	fmt.Fprintf(t, "kernel\tlaunches\t%sgrid x block\ttime on device\tus each\tshare\t\n", byGraphs)
	for i := range kernels[:min(len(kernels), TableRows)] {
		k := &kernels[i]
		took, us, part := "unknown", "-", "-"
		if k.Timed != 0 {
			took, us, part = Milliseconds(k.DeviceNS), Each(k.DeviceNS, k.Timed), Share(k.DeviceNS, sum)
		}
		if graphs {
			byGraphs = fmt.Sprintf("%d\t%d\t", k.ByGraph, k.InRegion)
		}
		fmt.Fprintf(t, "%s\t%d\t%s%s\t%s\t%s\t%s\t\n", ShortName(k.Name), k.Launches, byGraphs, k.shape(), took, us, part)
	}
	_ = t.Flush()
	WriteMore(w, "kernels", len(kernels))
}

// WriteMore writes how many of n rows a table leaves out.
func WriteMore(w io.Writer, what string, n int) {
	if n > TableRows {
		fmt.Fprintf(w, "and %d more %s: MGPU_STATS=FILE.json lists all\n", n-TableRows, what)
	}
}

// ShortName returns a kernel's name for a table: demangled, without parameters, and cut.
func ShortName(name string) string {
	const longest = 60 // characters
	text := []rune(strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return '?'
		}
		return c
	}, demangle.Filter(name, demangle.NoParams)))
	if len(text) > longest {
		text = append(text[:longest-3], '.', '.', '.')
	}
	return string(text)
}

// Each returns the average time of n events, in microseconds, as text.
func Each(ns, n uint64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(ns)/float64(n)/1000)
}

// Share returns part as a percentage of whole, as text.
func Share(part, whole uint64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// Milliseconds returns a time as text.
func Milliseconds(ns uint64) string {
	return fmt.Sprintf("%.3f ms", float64(ns)/float64(time.Millisecond))
}
