package profile

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// Profile has the counts and marks of a driver's kernels. Its methods may be called by any number of
// goroutines.
type Profile struct {
	modes Modes

	reciprocals atomic.Uint32 // kinds from which a division computes its quotient

	mu      sync.Mutex
	rows    []rowOn
	numbers map[rowOn]int
	sources []string // of approximate results, by the number of their kind
	kernels map[kernelKey]*kernel
	spare   []*workgroup
}

// rowOn is a row on a chip, in the encoding of its instruction.
type rowOn struct {
	*encoding.Row
	chip  encoding.Chip
	class Class
}

type kernelKey struct {
	name string
	chip encoding.Chip
}

// New makes a profile; nil if no mode is set.
func New(m Modes) *Profile {
	if !m.Any() {
		return nil
	}
	return &Profile{modes: m, numbers: map[rowOn]int{}, kernels: map[kernelKey]*kernel{}}
}

// NewProgram wraps a function that makes programs, so that the profile counts their instructions. A nil
// profile returns make unchanged.
func (p *Profile) NewProgram(make func(emu.Text) (*emu.Program, error)) func(emu.Text) (*emu.Program, error) {
	if p == nil {
		return make
	}
	return func(t emu.Text) (*emu.Program, error) {
		t.Around = p.Around
		return make(t)
	}
}

// row is the number of an instruction's row.
func (p *Profile) row(i *encoding.Inst) int {
	r := rowOn{i.Row, i.Chip.Model(), classOf(i)}
	p.mu.Lock()
	defer p.mu.Unlock()
	n, known := p.numbers[r]
	if !known {
		n = len(p.rows)
		p.numbers[r] = n
		p.rows = append(p.rows, r)
	}
	return n
}

// kinds is a set of sources of approximate results: rows, of the same name one. The last
// stands for those that have no number of their own.
type kinds uint32

const mostKinds = 32

// kindOf is the set of one row.
func (p *Profile) kindOf(r *encoding.Row) kinds {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := slices.Index(p.sources, r.Name)
	switch {
	case n >= 0:
	case len(p.sources) < mostKinds-1:
		n = len(p.sources)
		p.sources = append(p.sources, r.Name)
	default:
		n = mostKinds - 1
	}
	if n < mostKinds-1 && strings.HasPrefix(r.Name, "v_rcp_") {
		p.reciprocals.Or(1 << n)
	}
	return 1 << n
}

// namesOf are the rows of a set. p.mu is held.
func (p *Profile) namesOf(k kinds) (names []string) {
	for n, name := range p.sources {
		if k>>n&1 != 0 {
			names = append(names, name)
		}
	}
	if k>>(mostKinds-1) != 0 {
		names = append(names, "others")
	}
	return names
}

// Launch begins a launch of a kernel.
func (p *Profile) Launch(m *emu.Machine, k *emu.Kernel, block [3]uint32, dynamicLDS uint32) *Launch {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := kernelKey{k.Name, k.Chip().Model()}
	sum := p.kernels[key]
	if sum == nil {
		sum = newKernel()
		p.kernels[key] = sum
	}
	sum.mu.Lock()
	defer sum.mu.Unlock()
	sum.launches++
	sum.lanes = k.Lanes()
	s := shape{block, k.LDS + dynamicLDS}
	if sum.shapes[s] == nil && len(sum.shapes) < mostShapes {
		sum.shapes[s] = &Shape{Block: block, LDS: s.lds, Occupancy: m.Occupancy(k, block, dynamicLDS), VectorRegisters: k.Registers()}
	}
	if known := sum.shapes[s]; known != nil {
		known.Launches++
	}
	return &Launch{profile: p, kernel: k, sum: sum}
}

// Launch is one launch.
type Launch struct {
	profile *Profile
	kernel  *emu.Kernel
	sum     *kernel
	memory  globalMarks
}

// Workgroup implements emu.Profiler.
func (l *Launch) Workgroup(g emu.Workgroup) emu.Profile {
	p := l.profile
	p.mu.Lock()
	var w *workgroup
	if n := len(p.spare); n > 0 {
		w, p.spare = p.spare[n-1], p.spare[:n-1]
	}
	rows := len(p.rows)
	p.mu.Unlock()
	if w == nil {
		w = new(workgroup)
	}
	w.start(l, &g, rows)
	return w
}

const mostSpare = 16

func (p *Profile) keep(w *workgroup) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.launch = nil; len(p.spare) < mostSpare {
		p.spare = append(p.spare, w)
	}
}
