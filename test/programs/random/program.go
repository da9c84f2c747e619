package random

import "fmt"

// Value is what a statement computes, for one work-item.
type Value struct {
	id   int
	typ  Type
	name string // as the text spells it
	// Values that every work-item knows from the start (its position) are in no array.
	ambient bool
}

// Block is a list of statements with what it is given and what it leaves.
type Block struct {
	params []*Value
	stmts  []*Statement
	yields []*Value
}

// form is the kind of a statement.
type form int

const (
	plain    form = iota // the same text for device and host, and maybe blocks
	exchange             // values go through workgroup memory, or a block of global memory
	shuffle              // values go from lane to lane
	tally                // atomics on workgroup memory
	choice               // a branch that whole workgroups take
	uniform              // a loop that all work-items run together
)

// Statement is an operation, or a few that belong together. The names in its text
// that begin with its own prefix belong to no other program.
type Statement struct {
	id      int
	form    form
	results []*Value
	args    []*Value
	removed bool // its results are zeros, and nothing else happens

	// text has {wg}, {pv} where types name memory spaces, and {blockN} on a line of its
	// own where a block's statements and yields belong.
	text   string
	blocks []*Block
	yield  []string // how each block ends, before its yields: "scf.yield"
	after  []string // what else each block's end does and yields

	// Fields of single forms.
	elem    string   // exchange, tally: elements of memory
	global  bool     // exchange: through global memory
	move    string   // shuffle: "xor", "up", "down", "idx"
	width   int      // shuffle
	lane    []string // shuffle, exchange: lines that compute %sN_at, which lane or cell is read, per result
	fill    []string // exchange: lines that compute %sN_to, the work-item's own cell
	trips   int      // uniform; choice: which groups take it
	operate string   // tally: kind of the atomic
}

// Program is a kernel and what launches it.
type Program struct {
	name    string
	seed    uint64
	lanes   int // of a wave
	reach   int // lanes within which shuffles stay
	block   [3]int
	grid    [3]int
	body    *Block
	helpers []helper
	private []string // element types of the private arrays, of privateCells each
	nextID  int
}

// helper is a function that is called, not inlined.
type helper struct {
	name string
	body *Block
}

const privateCells = 8

func (p *Program) items() int  { return p.block[0] * p.block[1] * p.block[2] }
func (p *Program) groups() int { return p.grid[0] * p.grid[1] * p.grid[2] }

// Name is the kernel's name.
func (p *Program) Name() string { return p.name }

func (p *Program) value(t Type) *Value {
	p.nextID++
	return &Value{id: p.nextID, typ: t, name: fmt.Sprintf("%%v%d", p.nextID)}
}

func (p *Program) statement(f form) *Statement {
	p.nextID++
	return &Statement{id: p.nextID, form: f}
}

// local is a name of the statement's own.
func (s *Statement) local(suffix string) string { return fmt.Sprintf("%%s%d_%s", s.id, suffix) }

// each visits the block's statements that are not removed, outer ones first.
func (b *Block) each(visit func(*Statement)) {
	for _, s := range b.stmts {
		if s.removed {
			continue
		}
		visit(s)
		for _, inner := range s.blocks {
			inner.each(visit)
		}
	}
}

// all are the statements of a program that are not removed.
func (p *Program) all() []*Statement {
	var list []*Statement
	p.body.each(func(s *Statement) { list = append(list, s) })
	for _, h := range p.helpers {
		h.body.each(func(s *Statement) { list = append(list, s) })
	}
	return list
}

// used are the values that something needs: those that are not are left out.
func (p *Program) used() map[*Value]bool {
	used := map[*Value]bool{}
	var need func(b *Block)
	need = func(b *Block) {
		for _, s := range b.stmts {
			if s.removed {
				continue
			}
			for _, a := range s.args {
				used[a] = true
			}
			for _, inner := range s.blocks {
				need(inner)
			}
		}
		for _, y := range b.yields {
			used[y] = true
		}
	}
	need(p.body)
	for _, h := range p.helpers {
		need(h.body)
	}
	return used
}
