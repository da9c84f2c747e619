package check

import (
	"fmt"
	"math/bits"

	"github.com/mgpu-runtime/mgpu/internal/count"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

const mostWaves = emu.MostWavesInGroup

// workgroup checks one workgroup. Its memory is reused without clearing: epochs, which never repeat, mark what is
// valid.
type workgroup struct {
	emu.Workgroup
	launch  *Launch
	modes   Modes
	private uint64 // bytes
	group   uint32 // number in the grid, plus one
	room    wave.Access

	epoch      uint32
	words      []word                        // of LDS
	written    Written                       // of LDS
	heard      [mostWaves][mostWaves]uint32  // of each wave of this workgroup: up to when each other wave knows it
	passed     map[uint64]*[mostWaves]uint32 // the same for atomics, by their address
	arrivals   map[uint64]bool               // addresses of barriers in LDS at which some wave has arrived
	block      Block                         // of global memory, the block found last
	foreign    [2]uint64                     // a range that is known to contain no block
	barriers   [mostWaves]uint32             // number of barriers that each wave has reached
	boards     [mostWaves]scoreboard
	unfinished map[uint64]unfinished // by word
	apart      string                // why waves see global memory in different orders; empty: they don't
	ended      uint32                // number of times that unfinished accesses have ended
	learned    [mostWaves]uint32     // the same when each wave last learned of other waves by an atomic or the like
	locked     bool                  // the launch is locked until the instruction is done
}

func (g *workgroup) start(l *Launch, at emu.Workgroup) {
	g.Workgroup, g.launch, g.modes = at, l, l.checker.modes
	g.private, g.group = uint64(at.Kernel.Private), uint32(at.Number)+1
	g.epoch++
	g.block, g.foreign = Block{}, [2]uint64{}
	g.barriers = [mostWaves]uint32{}
	if g.modes.Wait {
		g.startWaits()
	}
	if g.modes.Race {
		if n := int(at.LDS+3) / 4; len(g.words) < n {
			g.words = make([]word, n)
		}
		g.heard = [mostWaves][mostWaves]uint32{}
		clear(g.passed)
		clear(g.arrivals)
	}
	if g.modes.Uninit {
		n := int(at.LDS+31) / 32
		if len(g.written.bits) < n {
			g.written.bits = make([]uint32, n)
		}
		clear(g.written.bits)
	}
}

// Room implements wave.Watch.
func (g *workgroup) Room() *wave.Access { return &g.room }

// alignment returns the required alignment of an access's addresses. For vectors it is that of their elements.
func alignment(t *wave.Touch) uint64 {
	switch {
	case t.Tensor:
		return 1
	case t.Op == wave.Updates:
		return t.Size
	case t.Size >= 4:
		return 4
	}
	return t.Size
}

// Fine implements wave.Watch.
func (g *workgroup) Fine(_ *wave.Wave, t *wave.Touch, s wave.Span) bool {
	if s.Segment != wave.Private {
		if g.modes.Race || g.modes.Wait && (s.Segment == wave.Workgroup || g.apart != "") || g.modes.Uninit && !g.allWritten(s.Segment, s.Low, s.High+t.Size) {
			return false
		}
	}
	if !g.modes.Memory {
		return true
	}
	switch {
	case s.Segment == wave.Private:
		return s.High+t.Size <= g.private
	case s.Segment == wave.Workgroup && s.High+t.Size > uint64(g.LDS):
		return false
	}
	if s.Bits&(alignment(t)-1) != 0 || g.overCode(t, s) {
		return false
	}
	g.launch.isAligned(t)
	return true
}

// Access implements wave.Watch.
func (g *workgroup) Access(w *wave.Wave, a *wave.Access) bool {
	if g.modes.Wait {
		g.checkAccess(w, a, w.PC-a.Words)
	}
	if !g.modes.Race && g.Fine(w, &a.Touch, extent(a)) {
		return true
	}
	pc := w.PC - a.Words
	if g.modes.Memory {
		g.aligned(w, a, pc)
		switch a.Segment {
		case wave.Global:
			g.inGlobal(w, a, pc)
		case wave.Workgroup:
			g.inWorkgroup(w, a, pc)
		case wave.Private:
			return g.inPrivate(w, a, pc)
		}
	}
	if a.Segment == wave.Private {
		return true
	}
	if a.Scalar && !a.Tensor {
		a.At[0] &^= 3
	}
	if a.Segment == wave.Workgroup {
		a.Lanes &^= beyond(a, uint64(g.LDS))
	}
	if a.Lanes == 0 {
		return true
	}
	if g.modes.Uninit {
		g.initialized(w, a, pc)
	}
	if g.modes.Race {
		g.races(w, a, pc)
	}
	return true
}

// Done implements wave.Watch.
func (g *workgroup) Done() {
	if g.locked {
		g.locked = false
		g.launch.mu.Unlock()
	}
}

// extent returns the range of the lanes of an access.
func extent(a *wave.Access) wave.Span {
	s := wave.Span{Segment: a.Segment, Low: ^uint64(0)}
	for k := a.Lanes; k != 0; k &= k - 1 {
		at := a.At[bits.TrailingZeros64(k)&63]
		s.Low, s.High, s.Bits = min(s.Low, at), max(s.High, at), s.Bits|at
	}
	return s
}

// beyond returns the lanes that reach over the end of memory of a given size.
func beyond(a *wave.Access, size uint64) (bad uint64) {
	for k := a.Lanes; k != 0; k &= k - 1 {
		if l := bits.TrailingZeros64(k) & 63; a.At[l]+a.Size > size || a.At[l] > size {
			bad |= 1 << uint(l)
		}
	}
	return bad
}

var memories = map[wave.Segment]string{wave.Global: "global memory", wave.Workgroup: "workgroup memory", wave.Private: "private memory"}

// where returns a lane's address for a report.
func where(a *wave.Access, lane int) string {
	if a.Segment == wave.Global {
		return fmt.Sprintf("%#x", a.At[lane])
	}
	return fmt.Sprintf("offset %d", int64(int32(a.At[lane])))
}

// overCode reports whether lanes within s may write to the kernel's program.
func (g *workgroup) overCode(t *wave.Touch, s wave.Span) bool {
	return t.Op != wave.Reads && s.Segment == wave.Global && s.Low < g.launch.code[1] && s.High+t.Size > g.launch.code[0]
}

// inGlobal reports lanes that write over the kernel's program. What a chip then executes depends on its caches.
func (g *workgroup) inGlobal(w *wave.Wave, a *wave.Access, pc uint32) {
	if !g.overCode(&a.Touch, extent(a)) {
		return
	}
	bad := uint64(0)
	for k := a.Lanes; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		if g.overCode(&a.Touch, wave.Span{Segment: a.Segment, Low: a.At[l], High: a.At[l]}) {
			bad |= 1 << uint(l)
		}
	}
	if bad == 0 {
		return
	}
	lane := bits.TrailingZeros64(bad)
	over := uint32((max(a.At[lane], g.launch.code[0]) - g.Kernel.Base()) / 4)
	f := finding{kind: OutOfBounds, pc: pc, wave: w.Index, lane: lane, lanes: bad,
		what: fmt.Sprintf("%s over the code of the kernel's own module, at %#x", describe(&a.Touch), a.At[lane]),
		more: []string{"written over is " + g.launch.locate(over)}}
	if a.Scalar {
		f.lane = -1
	}
	g.report(f)
}

func (g *workgroup) inWorkgroup(w *wave.Wave, a *wave.Access, pc uint32) {
	bad := beyond(a, uint64(g.LDS))
	if bad == 0 {
		return
	}
	lane := bits.TrailingZeros64(bad)
	g.report(finding{kind: OutOfBounds, pc: pc, wave: w.Index, lane: lane, lanes: bad,
		what: fmt.Sprintf("%s beyond workgroup memory, at offset %d", describe(&a.Touch), a.At[lane]),
		more: []string{fmt.Sprintf("this workgroup has %s, %d static and %d dynamic", count.Of(g.LDS, "byte"), g.Kernel.LDS, g.LDS-g.Kernel.LDS)}})
}

func (g *workgroup) inPrivate(w *wave.Wave, a *wave.Access, pc uint32) bool {
	bad := beyond(a, g.private)
	if bad == 0 {
		return true
	}
	lane := bits.TrailingZeros64(bad)
	g.report(finding{kind: OutOfBounds, pc: pc, wave: w.Index, lane: lane, lanes: bad,
		what: fmt.Sprintf("%s beyond a work-item's private memory, at offset %d", describe(&a.Touch), int64(int32(a.At[lane]))),
		more: []string{fmt.Sprintf("a work-item of this kernel has %s of private memory", count.Of(g.private, "byte"))}})
	w.Status, w.Fault = wave.Faulted, &wave.Fault{Reason: "access beyond the private memory of a work-item", Lane: -1}
	return false
}

// Faulted implements emu.Watch: an access to unmapped memory ends the launch.
func (g *workgroup) Faulted(f *emu.Fault) {
	if !g.modes.Memory || !f.OfMemory() {
		return
	}
	what := f.Reason
	if t, ok := g.Kernel.Touch(f.PC); ok {
		if t.Op == wave.Updates && f.Addr&(t.Size-1) != 0 {
			return // it was already reported
		}
		what = fmt.Sprintf("%s at %#x", describe(&t), f.Addr)
	}
	g.report(finding{kind: OutOfBounds, what: what, pc: f.PC, wave: f.Wave, lane: f.Lane, addr: f.Addr})
}

// gridSync is the key under which a launch stores what workgroups pass on by global wave sync; it is not an address of
// global memory. All resources count as one.
const gridSync = 1 << 63

// Arrives implements wave.Watch.
func (g *workgroup) Arrives(*wave.Wave) {
	if g.modes.Race {
		l := g.launch
		l.mu.Lock()
		defer l.mu.Unlock()
		l.give(g.group, gridSync, l.now.Add(1))
	}
}

// Leaves implements wave.Watch.
func (g *workgroup) Leaves(w *wave.Wave) {
	g.learns(w.Index)
	if g.modes.Race {
		g.launch.mu.Lock()
		defer g.launch.mu.Unlock()
		g.launch.hear(g.group, gridSync, &access{})
	}
}

// Barrier implements wave.Watch. A wave that has ended is not missing at a barrier: AMD's manuals say of s_barrier that it
// waits only for the waves that are left, and LLVM's AMDGPUExecutionSynchronization that a wave's end drops it.
func (g *workgroup) Barrier(w *wave.Wave) {
	g.barriers[w.Index&(mostWaves-1)]++
	if g.modes.Wait {
		g.atBarrier(w.Index)
	}
	if !g.modes.Sync {
		return
	}
	items := g.Block[0] * g.Block[1] * g.Block[2]
	lanes := uint32(w.Lanes())
	all := min(items-uint32(w.Index)*lanes, lanes)
	if here := bits.OnesCount64(w.Exec()); here != int(all) {
		missing := ^w.Exec() & (^uint64(0) >> (64 - all))
		g.report(finding{kind: Divergence, pc: w.PC - 1, wave: w.Index, lane: -1,
			what: fmt.Sprintf("barrier in divergent code: %d of the wave's %d work-items are there", here, all),
			more: []string{"not there is " + g.who(w.Index, bits.TrailingZeros64(missing))}})
	}
}

// Released implements emu.Watch.
func (g *workgroup) Released() {
	g.epoch++
	g.forget()
}

// Over implements emu.Watch.
func (g *workgroup) Over() { g.launch.checker.keep(g) }
