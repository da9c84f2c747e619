package check

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/count"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
)

// Modes are the kinds of errors to look for.
type Modes struct {
	Memory bool // accesses out of bounds or misaligned
	Strict bool // also accesses to host memory that is not registered
	Align  bool // also misaligned accesses that the program may intend
	Race   bool
	Uninit bool // reads of unwritten memory
	Sync   bool // barriers that a part of a wave reaches
	Wait   bool // registers and memory that were not waited for
	Leak   bool // objects that are never released; the caller sees the program's calls and checks them
}

// Any reports whether kernels have to be checked.
func (m Modes) Any() bool { return m.Memory || m.Race || m.Uninit || m.Sync || m.Wait }

// modeNames are the words of MGPU_CHECK, with their modes.
var modeNames = []struct {
	name string
	set  func(*Modes)
}{
	{"memory", func(m *Modes) { m.Memory = true }},
	{"strict", func(m *Modes) { m.Memory, m.Strict = true, true }},
	{"align", func(m *Modes) { m.Memory, m.Align = true, true }},
	{"race", func(m *Modes) { m.Race, m.Sync = true, true }},
	{"uninit", func(m *Modes) { m.Uninit = true }},
	{"sync", func(m *Modes) { m.Sync = true }},
	{"wait", func(m *Modes) { m.Wait = true }},
	{"leak", func(m *Modes) { m.Leak = true }},
	{"all", func(m *Modes) { m.Memory, m.Race, m.Uninit, m.Sync, m.Wait = true, true, true, true, true }},
	{"off", func(m *Modes) {}},
}

// ParseModes reads a list of modes in the form of MGPU_CHECK. An empty list means none.
func ParseModes(list string) (Modes, error) {
	var m Modes
	for _, word := range strings.Split(list, ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		known := false
		for _, n := range modeNames {
			if n.name == word {
				n.set(&m)
				known = true
			}
		}
		if !known {
			return Modes{}, fmt.Errorf("%q is not one of %s", word, namesOfModes())
		}
	}
	return m, nil
}

// ParseModesOfHIP is ParseModes for programs on AMD's HIP. The host's writes to global memory are not seen there, so Uninit
// finds reads of workgroup memory only, and "all" does not ask for it.
func ParseModesOfHIP(list string) (Modes, error) {
	m, err := ParseModes(list)
	if err != nil {
		return Modes{}, err
	}
	m.Uninit = slices.ContainsFunc(strings.Split(list, ","), func(word string) bool { return strings.TrimSpace(word) == "uninit" })
	return m, nil
}

// AsksForLeaks reports whether a valid list asks for leaks.
func AsksForLeaks(list string) bool {
	m, err := ParseModes(list)
	return err == nil && m.Leak
}

// WithoutLeak returns a list without "leak". It is for programs that call mgpu on AMD's HIP: mgpu's library looks for
// leaks there.
func WithoutLeak(list string) string {
	words := slices.DeleteFunc(strings.Split(list, ","), func(word string) bool { return strings.TrimSpace(word) == "leak" })
	return strings.Join(words, ",")
}

func namesOfModes() string {
	names := make([]string, len(modeNames))
	for i, n := range modeNames {
		names[i] = n.name
	}
	return strings.Join(names, ", ")
}

// String returns the list that ParseModes reads.
func (m Modes) String() string {
	var on []string
	for _, n := range []struct {
		set  bool
		name string
	}{{m.Memory, "memory"}, {m.Strict, "strict"}, {m.Align, "align"}, {m.Race, "race"}, {m.Uninit, "uninit"}, {m.Sync && !m.Race, "sync"}, {m.Wait, "wait"}} {
		if n.set {
			on = append(on, n.name)
		}
	}
	return strings.Join(on, ",")
}

// Blocks is the device memory that programs have allocated.
type Blocks interface {
	// Find returns the block that contains addr.
	Find(addr uint64) (Block, bool)
	// Describe says where addr is: in which block, or how far from one, and where that block was allocated. It returns
	// an empty text if nothing is known.
	Describe(addr uint64) string
}

// Block is memory [Lo, Hi). If Written is nil, all of it counts as written.
type Block struct {
	Lo, Hi  uint64
	Written *Written
}

// Checker has the state of a driver's memory, and the findings.
type Checker struct {
	modes  Modes
	blocks Blocks
	out    io.Writer
	abort  func()

	calls    atomic.Pointer[func() uint64]
	launches atomic.Uint64

	mu      sync.Mutex
	found   map[place]*tally
	counted map[instruction]*tally
	spare   []*workgroup
	hinted  bool // the hint about missing line tables was printed
}

// New makes a checker that writes to out, one Write per report. abort, if it is not nil, is called after the first
// report.
func New(m Modes, blocks Blocks, out io.Writer, abort func()) *Checker {
	return &Checker{modes: m, blocks: blocks, out: out, abort: abort, found: map[place]*tally{}, counted: map[instruction]*tally{}}
}

// Modes returns the kinds of errors that the checker looks for.
func (c *Checker) Modes() Modes { return c.modes }

// NewProgram makes a program whose launches c checks.
func (c *Checker) NewProgram(t emu.Text) (*emu.Program, error) {
	t.Watched, t.Counted = true, c.modes.Wait
	return emu.NewProgram(t)
}

// CountCalls sets the function that returns the number of the program's calls so far.
func (c *Checker) CountCalls(number func() uint64) { c.calls.Store(&number) }

// Call returns the number of the program's current call; zero if calls are not counted.
func (c *Checker) Call() uint64 {
	if f := c.calls.Load(); f != nil {
		return (*f)()
	}
	return 0
}

// mostListed is the number of places in a summary.
const mostListed = 20

// Summary returns a line about all findings, and a line for each place with more than one access, without the last
// newline; empty if nothing was launched.
func (c *Checker) Summary() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	launches := c.launches.Load()
	if launches == 0 && len(c.found) == 0 {
		return ""
	}
	head := fmt.Sprintf("mgpu check: %s: %s: ", c.modes, count.Of(launches, "launch", "launches"))
	if len(c.found) == 0 {
		return head + "nothing found"
	}
	kinds, all := map[Kind]uint64{}, uint64(0)
	var often []*tally
	for at, t := range c.found {
		kinds[at.kind]++
		if all += t.accesses; t.accesses > 1 {
			often = append(often, t)
		}
	}
	var parts []string
	for k, n := range kinds {
		parts = append(parts, string(k)+" in "+count.Of(n, "place", "places"))
	}
	sort.Strings(parts)
	return head + strings.Join(parts, ", ") + fmt.Sprintf(" (%s in all)", count.Of(all, "access", "accesses")) + listed(often)
}

// listed returns a line for each of the places, those with the most accesses first.
func listed(places []*tally) string {
	sort.Slice(places, func(i, j int) bool {
		a, b := places[i], places[j]
		if a.accesses != b.accesses {
			return a.accesses > b.accesses
		}
		return a.at+string(a.kind)+a.other < b.at+string(b.kind)+b.other
	})
	var b strings.Builder
	for n, t := range places {
		if n == mostListed {
			fmt.Fprintf(&b, "\n    and %s more", count.Of(uint64(len(places)-n), "place", "places"))
			break
		}
		fmt.Fprintf(&b, "\n    %s: %s", t.kind, t.at)
		if t.other != "" && t.other != t.at {
			fmt.Fprintf(&b, " and %s", t.other)
		}
		fmt.Fprintf(&b, ": %s", count.Of(t.accesses, "access", "accesses"))
		if t.instructions > 1 {
			fmt.Fprintf(&b, " of %d instructions", t.instructions)
		}
	}
	return b.String()
}
