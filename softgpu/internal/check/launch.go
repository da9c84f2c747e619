package check

import (
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/source"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
)

// Launch checks one launch of a kernel.
type Launch struct {
	checker *Checker
	kernel  *emu.Kernel
	source  *source.Lines
	code    [2]uint64 // addresses of the kernel's program
	call    uint64    // number of the program's call that launched it
	serial  uint32    // number of the launch; never zero

	arguments []byte // the kernel's

	reported map[uint32]bool // program counters of findings; guarded by the checker's lock

	now atomic.Uint32 // number of synchronizations so far, plus one

	mu     sync.Mutex // guards what follows, for all workgroups
	words  pages
	known  map[uint32]*clock // by workgroup: what it knows of others
	passed map[uint64]*clock // by address: what atomics passed on
	grid   [3]uint32

	suspecting sync.Mutex
	suspects   map[uint32]*suspect // by program counter
}

// NewLaunch begins to check a launch of kernel with grid workgroups, in the program's call with the given number. src
// may be nil. arguments must not change until the launch is Over.
func (c *Checker) NewLaunch(kernel *emu.Kernel, src *source.Lines, grid [3]uint32, arguments []byte, call uint64) *Launch {
	serial := uint32(c.launches.Add(1))
	l := &Launch{checker: c, kernel: kernel, source: src, call: call, grid: grid, serial: max(serial, 1), arguments: arguments, reported: map[uint32]bool{}}
	l.now.Store(1)
	l.code[0], l.code[1] = kernel.Code()
	return l
}

// Workgroup implements emu.Watcher.
func (l *Launch) Workgroup(g emu.Workgroup) emu.Watch {
	c := l.checker
	c.mu.Lock()
	var w *workgroup
	if n := len(c.spare); n > 0 {
		w, c.spare = c.spare[n-1], c.spare[:n-1]
	}
	c.mu.Unlock()
	if w == nil {
		w = new(workgroup)
	}
	w.start(l, g)
	return w
}

// mostSpare is the number of workgroups whose memory a checker keeps.
const mostSpare = 16

func (c *Checker) keep(g *workgroup) {
	g.launch = nil
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.spare) < mostSpare {
		c.spare = append(c.spare, g)
	}
}

// clockOf returns what group knows. The caller has locked the launch.
func (l *Launch) clockOf(group uint32) *clock {
	if l.known == nil {
		l.known = map[uint32]*clock{}
	}
	c := l.known[group]
	if c == nil {
		c = &clock{}
		l.known[group] = c
	}
	return c
}

// exchange handles an atomic of group at addr: the group learns what earlier atomics there passed on, and passes on
// what it knows before time. The caller has locked the launch.
func (l *Launch) exchange(group uint32, addr uint64, time uint32) {
	l.clockOf(group).join(l.passed[addr])
	l.give(group, addr, time)
}

// give passes on at addr what group knows and did before time. The caller has locked the launch.
func (l *Launch) give(group uint32, addr uint64, time uint32) {
	if l.passed == nil {
		l.passed = map[uint64]*clock{}
	}
	p := l.passed[addr]
	if p == nil {
		p = &clock{}
		l.passed[addr] = p
	}
	p.join(l.clockOf(group))
	p.learn(group, time)
}

// hear handles a load by group that may see what others released at addr: by atomics, or by the remembered plain write.
// The caller has locked the launch.
func (l *Launch) hear(group uint32, addr uint64, write *access) {
	mine := l.clockOf(group)
	mine.join(l.passed[addr])
	if write.group != 0 && write.group != group {
		mine.join(l.known[write.group])
		mine.learn(write.group, write.time+1)
	}
}

// idOf converts the number of a workgroup, plus one, to its coordinates.
func (l *Launch) idOf(group uint32) [3]uint32 {
	n := group - 1
	return [3]uint32{n % l.grid[0], n / l.grid[0] % l.grid[1], n / (l.grid[0] * l.grid[1])}
}
