package emu

import (
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/rows"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/watch"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Watcher is called for the workgroups of one dispatch, by several goroutines at once.
type Watcher interface {
	Workgroup(g Workgroup) Watch
}

// Workgroup describes a workgroup that starts.
type Workgroup struct {
	Kernel *Kernel
	ID     [3]uint32
	Number uint64 // in its grid
	Groups uint64 // of the grid
	Block  [3]uint32
	Waves  int
	LDS    uint32 // bytes
}

// Watch is called for what one workgroup does, by one goroutine at a time.
type Watch interface {
	wave.Watch
	Released()      // all remaining waves continue after a barrier
	Faulted(*Fault) // a wave faulted, which ends the dispatch
	Over()          // the workgroup has ended
}

// Profiler makes the profiles of the workgroups of one dispatch, by several goroutines at once.
type Profiler interface {
	Workgroup(g Workgroup) Profile
}

// Profile is what steps made by Text.Around find in their waves.
type Profile interface {
	Over() // the workgroup has ended
}

func (g *group) startWatch(n uint64) {
	d := g.d
	g.watch, g.profile = nil, nil
	t := &d.Kernel.program.t
	if !t.Watched && t.Around == nil {
		return
	}
	started := Workgroup{
		Kernel: d.Kernel, ID: g.id, Number: n, Groups: d.groups, Block: g.block, Waves: len(g.waves), LDS: d.Kernel.LDS + d.LDS,
	}
	if t.Watched {
		g.watch = d.Watch.Workgroup(started)
	}
	if t.Around != nil {
		g.profile = d.Profile.Workgroup(started)
	}
}

func (g *group) endWatch() {
	if g.watch != nil {
		g.watch.Over()
		g.watch = nil
	}
	if g.profile != nil {
		g.profile.Over()
		g.profile = nil
	}
}

// Place describes the word pc of k's program: the function, the offset in it in bytes, and the instruction in assembly.
func (k *Kernel) Place(pc uint32) (function string, offset uint32, instruction string) {
	function, offset = k.program.place(pc)
	return function, offset, k.program.text(pc)
}

// Base returns the address of word 0 of k's program.
func (k *Kernel) Base() uint64 { return k.program.base }

// Code returns the range of addresses of the functions of k's program, which includes k; empty if none are known.
func (k *Kernel) Code() (lo, hi uint64) {
	p := k.program
	if p.open() {
		return 0, 0
	}
	return p.base + uint64(p.ranges[0].Start), p.base + uint64(p.ends[len(p.ends)-1])
}

// Touch returns how the instruction at pc accesses memory, if it does.
func (k *Kernel) Touch(pc uint32) (t wave.Touch, ok bool) {
	inst, err := k.program.instruction(pc)
	if err != nil {
		return t, false
	}
	return watch.Touches(&inst)
}

// longestPoll is the highest number of instructions in a loop that waits for a word in memory to change.
const longestPoll = 48

// mannersOf finds, in a unit of a watched program, the loads that poll and the stores that release. The instruction set
// has no special loads and stores for atomic ones of languages. The caller has locked s.mu.
func (p *Program) mannersOf(s *segment, from, to uint32) {
	found := s.manners
	var before []encoding.Inst
	var high encoding.HighBits
	for off := from; off+4 <= to; {
		inst, err := rows.Decode(s.code, off, p.t.Chip)
		if err != nil {
			off, before = off+4, before[:0]
			continue
		}
		high.Raise(&inst)
		high = high.After(&inst)
		if t, ok := watch.Touches(&inst); ok && t.Op == wave.Writes && releases(before, inst.Enc) {
			found[off] |= wave.Releases
		}
		before = append(before, inst)
		if at, ok := backBranch(&inst); ok {
			for _, load := range polled(before, at) {
				found[load] |= wave.Polls
			}
		}
		off += uint32(inst.Size)
	}
}

// releases reports whether the last instruction waits for everything that was written before, for a store with the
// encoding enc.
func releases(before []encoding.Inst, enc encoding.Encoding) bool {
	if len(before) == 0 {
		return false
	}
	for n := len(before) - 1; n >= 0; n-- { // RDNA has several waits in a row
		if watch.WaitsForAll(&before[n], enc == encoding.DS) {
			return true
		}
		if !strings.HasPrefix(before[n].Row.Name, "s_wait") {
			return false
		}
	}
	return false
}

// backBranch returns the target of a branch that goes back.
func backBranch(i *encoding.Inst) (to uint32, ok bool) {
	if !strings.HasPrefix(i.Row.Name, "s_cbranch") && i.Row.Name != "s_branch" {
		return 0, false
	}
	by := int32(int16(i.Imm))
	return i.Offset + 4 + uint32(by)*4, by < 0
}

// polled finds the only memory access of a loop, which is the last instructions of before: a load from an address that
// the loop does not change. Such a loop waits for another writer. Compilers often peel the first iteration off; its load
// is found, too.
func polled(before []encoding.Inst, start uint32) (loads []uint32) {
	first := len(before)
	for first > 0 && before[first-1].Offset >= start {
		first--
	}
	body := before[first:]
	if len(body) == 0 || len(body) > longestPoll || body[0].Offset != start {
		return nil
	}
	var load *encoding.Inst
	for n := range body {
		if t, touches := watch.Touches(&body[n]); !touches {
			continue
		} else if t.Op != wave.Reads || load != nil || t.Scalar {
			return nil
		}
		load = &body[n]
	}
	if load == nil {
		return nil
	}
	for n := range body {
		if moves(&body[n], load) {
			return nil
		}
	}
	loads = []uint32{load.Offset}
	for n := first - 1; n >= max(first-longestPoll, 0); n-- {
		if _, touches := watch.Touches(&before[n]); touches {
			if before[n].Row == load.Row && before[n].Imm == load.Imm && sameAddress(before[:first], n, load) {
				loads = append(loads, before[n].Offset)
			}
			break
		}
	}
	return loads
}

// sameAddress reports whether before[n] loads from where load does, which follows before: their registers are the same
// and do not change in between, or they hold one constant, which compilers often write again.
func sameAddress(before []encoding.Inst, n int, load *encoding.Inst) bool {
	for s := range load.Src {
		o, other := &load.Src[s], &before[n].Src[s]
		last := writerOf(before, o)
		if *o == *other && last < n {
			continue
		}
		first := writerOf(before[:n], other)
		if last < 0 || first < 0 || !setsTo(&before[last], o) || !setsTo(&before[first], other) || before[last].Src != before[first].Src {
			return false
		}
	}
	return true
}

// writerOf returns the last instruction that writes registers of o; -1: none.
func writerOf(before []encoding.Inst, o *encoding.Operand) int {
	for n := len(before) - 1; n >= 0; n-- {
		if written(&before[n].Dst, o) || written(&before[n].SDst, o) {
			return n
		}
	}
	return -1
}

// setsTo reports whether i moves a constant to the register o.
func setsTo(i *encoding.Inst, o *encoding.Operand) bool {
	return i.Row.Kin() == "v_mov_b32" && i.Src[0].Kind == encoding.Const && o.Width <= 1 && i.Dst.Reg == o.Reg
}

// moves reports whether an instruction changes the address of a load.
func moves(i, load *encoding.Inst) bool {
	for s := range load.Src {
		if written(&i.Dst, &load.Src[s]) || written(&i.SDst, &load.Src[s]) {
			return true
		}
	}
	return false
}

// written reports whether the registers of d are among those of s.
func written(d, s *encoding.Operand) bool {
	if d.Kind != s.Kind || d.Kind != encoding.VReg && d.Kind != encoding.SReg {
		return false
	}
	return d.Reg < s.Reg+uint16(max(s.Width, 1)) && s.Reg < d.Reg+uint16(max(d.Width, 1))
}
