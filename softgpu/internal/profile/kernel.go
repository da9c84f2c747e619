package profile

import (
	"cmp"
	"slices"
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// kernel is the sums of the launches of kernels of one name.
type kernel struct {
	mu           sync.Mutex
	launches     uint64
	workgroups   uint64
	waves        uint64
	instructions uint64
	lanes        int // of a wave
	counts       []count
	sums         sums
	shapes       map[shape]*Shape
	reached      map[place]*Reached
}

// shape has the parameters of a launch on which occupancy depends.
type shape struct {
	block [3]uint32
	lds   uint32
}

// mostShapes and mostReached bound the shapes and places that are listed separately for a kernel.
const (
	mostShapes  = 256
	mostReached = 1024
)

// place is an instruction, by its function and its offset.
type place struct {
	function string
	offset   uint32
	where    string
}

func newKernel() *kernel {
	return &kernel{shapes: map[shape]*Shape{}, reached: map[place]*Reached{}}
}

// arrived returns the instructions of a workgroup that approximate results have reached.
func (g *workgroup) arrived() (all []Reached) {
	for at, a := range g.reached {
		function, offset, text := g.launch.kernel.Place(at.pc)
		all = append(all, Reached{Function: function, Offset: offset, Instruction: text, Where: whereNames[at.where], Times: a.times, kinds: a.kinds})
	}
	return all
}

// add adds a workgroup's counts.
func (k *kernel) add(g *workgroup) {
	arrived := g.arrived() // without the lock, since the program has its own
	k.mu.Lock()
	defer k.mu.Unlock()
	k.workgroups++
	k.waves += uint64(g.waves)
	if n := len(g.counts) - len(k.counts); n > 0 {
		k.counts = append(k.counts, make([]count, n)...)
	}
	for n := range g.counts {
		c := &g.counts[n]
		k.counts[n].executed += c.executed
		k.counts[n].lanes += c.lanes
		k.instructions += c.executed
	}
	k.sums.add(&g.sums)
	for n := range arrived {
		a := &arrived[n]
		p := place{a.Function, a.Offset, a.Where}
		if r := k.reached[p]; r != nil {
			r.Times += a.Times
			r.kinds |= a.kinds
		} else if len(k.reached) < mostReached {
			k.reached[p] = a
		}
	}
}

var whereNames = [...]string{toAddress: "address", toBranch: "branch"}

// Kernel is the report on the launches of a kernel. Names in JSON are not changed; new ones may be added.
type Kernel struct {
	Name         string    `json:"kernel"`
	Chip         string    `json:"chip"`
	Launches     uint64    `json:"launches"`
	Workgroups   uint64    `json:"workgroups"`
	Waves        uint64    `json:"waves"`
	Instructions uint64    `json:"instructions"` // of waves
	Counts       *Counts   `json:"counts,omitempty"`
	Fidelity     *Fidelity `json:"fidelity,omitempty"`
}

// Counts are the counts of a kernel's executions.
type Counts struct {
	Classes []ClassCount `json:"classes"` // those that were executed, the most frequent first
	Lanes   Lanes        `json:"active_lanes"`
	Bytes   Bytes        `json:"bytes"`
	LDS     LDSCounts    `json:"lds"`
	Shapes  []Shape      `json:"shapes"` // the most frequent first
}

// ClassCount is the number of instructions of a class that waves executed.
type ClassCount struct {
	Class        string `json:"class"`
	Instructions uint64 `json:"instructions"`
}

// Lanes counts active lanes in vector instructions, including those on memory.
type Lanes struct {
	Instructions uint64 `json:"instructions"`
	Lanes        uint64 `json:"lanes"` // over all of them
	Size         int    `json:"of"`    // lanes that a wave has
}

// Bytes counts bytes that lanes read, wrote, and updated by atomics.
type Bytes struct {
	Global  Moved `json:"global"`
	Scalar  Moved `json:"scalar"` // by scalar instructions
	LDS     Moved `json:"lds"`
	Private Moved `json:"private"`
}

// Moved is bytes.
type Moved struct {
	Read    uint64 `json:"read"`
	Written uint64 `json:"written"`
	Updated uint64 `json:"updated"`
}

// LDSCounts are accesses to LDS by waves, and the cycles that they take there.
type LDSCounts struct {
	Accesses        uint64 `json:"accesses"`
	Cycles          uint64 `json:"cycles"`
	BankConflicts   uint64 `json:"bank_conflict_cycles"`
	AtomicConflicts uint64 `json:"atomic_conflict_cycles"`
}

// Shape is a size of workgroups that the kernel was launched with.
type Shape struct {
	Block           [3]uint32     `json:"block"`
	LDS             uint32        `json:"lds_bytes"`
	VectorRegisters int           `json:"vector_registers"`
	Launches        uint64        `json:"launches"`
	Occupancy       emu.Occupancy `json:"occupancy"`
}

// Fidelity tells how the results of a kernel's instructions compare with a chip's.
type Fidelity struct {
	Instructions []Instruction `json:"instructions"` // those that were executed, the worst standing first
	Reached      []Reached     `json:"reached"`      // in the order of places
}

// Instruction is a row that was executed.
type Instruction struct {
	Name     string            `json:"instruction"`
	Standing encoding.Standing `json:"-"`
	Word     string            `json:"standing"`
	Executed uint64            `json:"executed"`
	Bound    string            `json:"bound,omitempty"`
	Source   string            `json:"source,omitempty"`
	Note     string            `json:"note,omitempty"`
}

// Reached is an instruction to whose address or branch an approximate result got.
type Reached struct {
	Where       string   `json:"reached"` // "address" or "branch"
	Function    string   `json:"function"`
	Offset      uint32   `json:"offset"`
	Instruction string   `json:"instruction"`
	From        []string `json:"from"` // the approximate instructions
	Times       uint64   `json:"times"`

	kinds kinds
}

// Kernels are the sums so far, of the kernel with the most instructions first. Workgroups that still run are not in them.
func (p *Profile) Kernels() (all []Kernel) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, k := range p.kernels {
		k.mu.Lock()
		out := Kernel{Name: key.name, Chip: key.chip.String(), Launches: k.launches, Workgroups: k.workgroups, Waves: k.waves, Instructions: k.instructions}
		if p.modes.Counts {
			out.Counts = p.countsOf(k)
		}
		if p.modes.Fidelity {
			out.Fidelity = p.fidelityOf(k, key.chip)
		}
		k.mu.Unlock()
		all = append(all, out)
	}
	slices.SortFunc(all, func(a, b Kernel) int {
		return cmp.Or(cmp.Compare(b.Instructions, a.Instructions), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Chip, b.Chip))
	})
	return all
}

// countsOf are k's. p.mu and k.mu are held.
func (p *Profile) countsOf(k *kernel) *Counts {
	c := &Counts{Classes: []ClassCount{}, Shapes: []Shape{}}
	var classes [numClasses]uint64
	for n := range k.counts {
		class := p.rows[n].class
		classes[class] += k.counts[n].executed
		switch class {
		case Vector, Matrix, VectorMemory, LDS:
			c.Lanes.Instructions += k.counts[n].executed
			c.Lanes.Lanes += k.counts[n].lanes
		}
	}
	for class, n := range classes {
		if n != 0 {
			c.Classes = append(c.Classes, ClassCount{classNames[class], n})
		}
	}
	slices.SortStableFunc(c.Classes, func(a, b ClassCount) int { return cmp.Compare(b.Instructions, a.Instructions) })
	moved := func(s wave.Segment) Moved {
		b := k.sums.bytes[s]
		return Moved{b[wave.Reads], b[wave.Writes], b[wave.Updates]}
	}
	c.Lanes.Size = k.lanes
	c.Bytes = Bytes{moved(wave.Global), moved(scalarSegment), moved(wave.Workgroup), moved(wave.Private)}
	c.LDS = LDSCounts{k.sums.accesses, k.sums.cycles, k.sums.banks, k.sums.words}
	for _, s := range k.shapes {
		c.Shapes = append(c.Shapes, *s)
	}
	slices.SortFunc(c.Shapes, func(a, b Shape) int {
		return cmp.Or(cmp.Compare(b.Launches, a.Launches), slices.Compare(a.Block[:], b.Block[:]), cmp.Compare(a.LDS, b.LDS))
	})
	return c
}

// fidelityOf is k's. p.mu and k.mu are held.
func (p *Profile) fidelityOf(k *kernel, chip encoding.Chip) *Fidelity {
	f := &Fidelity{Instructions: []Instruction{}, Reached: []Reached{}}
	at := map[string]int{}
	for n := range k.counts {
		if k.counts[n].executed == 0 {
			continue
		}
		row := p.rows[n].Row
		if known, ok := at[row.Name]; ok {
			f.Instructions[known].Executed += k.counts[n].executed
			continue
		}
		at[row.Name] = len(f.Instructions)
		standing := row.StandingOn(chip)
		i := Instruction{Name: row.Name, Standing: standing, Word: standing.String(), Executed: k.counts[n].executed}
		if row.Fidelity != nil {
			i.Bound, i.Source, i.Note = row.Fidelity.Bound, row.Fidelity.Source, row.Fidelity.Note
		}
		f.Instructions = append(f.Instructions, i)
	}
	slices.SortFunc(f.Instructions, func(a, b Instruction) int {
		return cmp.Or(cmp.Compare(b.Standing, a.Standing), cmp.Compare(b.Executed, a.Executed), cmp.Compare(a.Name, b.Name))
	})
	for _, r := range k.reached {
		r.From = p.namesOf(r.kinds)
		f.Reached = append(f.Reached, *r)
	}
	slices.SortFunc(f.Reached, func(a, b Reached) int {
		return cmp.Or(cmp.Compare(a.Function, b.Function), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Where, b.Where))
	})
	return f
}
