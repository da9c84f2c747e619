package gcn

import (
	"fmt"
	"strings"
)

// Memory instructions end some time after they were issued, and s_waitcnt waits for
// them by counters. Who wants to know whether a program waits binds its instructions
// with [Counted]: each then tells the wave's [Watch] what registers it uses, and
// which counter it raises, before it runs.

// Queue is the order in which instructions of one kind end, and the counter that
// tells (Vega ISA, "Manually Inserted Wait States"; LLVM's SIInsertWaitcnts).
type Queue uint8

// The queues.
const (
	NoQueue        Queue = iota // done when the next instruction is issued
	VectorQueue                 // vmcnt: vector memory, loads and stores, in the order of issue
	WorkgroupQueue              // lgkmcnt: LDS, in the order of issue
	ScalarQueue                 // lgkmcnt: scalar memory, in any order
	FlatQueue                   // vmcnt, lgkmcnt or both, as the lanes' addresses are
)

// The counters' highest values.
const (
	MostVector    = 63
	MostWorkgroup = 15
)

// waitCounts are the counters in s_waitcnt.
type waitCounts struct{ vector, export, workgroup uint32 }

func (s Set) waits(v uint32) waitCounts {
	if s == GFX9 {
		return waitCounts{v&15 | v>>14&3<<4, v >> 4 & 7, v >> 8 & 15}
	}
	return waitCounts{v >> 10 & 63, v & 7, v >> 4 & 63}
}

// Register is one register of a wave, in one numbering of all files.
type Register uint16

// Where the files begin.
const (
	firstVector      Register = 128
	firstAccumulator Register = firstVector + 256
	NumRegisters     Register = firstAccumulator + 256
)

// Vector reports whether r has a value for each lane.
func (r Register) Vector() bool { return r >= firstVector }

// String is the register's name in assembly.
func (r Register) String() string {
	switch {
	case r >= firstAccumulator:
		return fmt.Sprint("a", int(r-firstAccumulator))
	case r >= firstVector:
		return fmt.Sprint("v", int(r-firstVector))
	}
	switch r {
	case FlatScratchLo, FlatScratchHi:
		return half("flat_scratch", r)
	case FlatScratchHi + 1, FlatScratchHi + 2:
		return half("xnack_mask", r)
	case VccLo, VccHi:
		return half("vcc", r)
	case ExecLo, ExecHi:
		return half("exec", r)
	case M0:
		return "m0"
	}
	if r > VccHi {
		return fmt.Sprint("ttmp", int(r)-VccHi-1)
	}
	return fmt.Sprint("s", int(r))
}

// half names one register of a pair, which begins at an even one.
func half(pair string, r Register) string { return pair + [2]string{"_lo", "_hi"}[r&1] }

// RegisterRange is registers that follow each other.
type RegisterRange struct {
	First Register
	Count uint8
}

// Uses is what is known of an instruction's registers and counters before its wave
// gets there.
type Uses struct {
	Reads  []RegisterRange
	Writes []RegisterRange // at once, or where there is a queue when the instruction ends
	Queue  Queue
	Words  uint32 // the instruction's length, in words: its own place is this far before Wave.PC
	All    bool   // all lanes, whatever EXEC is

	Waits             bool // s_waitcnt, for these counters to be so low
	Vector, Workgroup uint8
}

// Counted is step, which i was bound to, for waves that have a Watch.
func Counted(i *Inst, step Step) Step {
	u := usesOf(i)
	return func(w *Wave) {
		w.Watch.Issued(w, u)
		step(w)
	}
}

func usesOf(i *Inst) *Uses {
	u := &Uses{Words: uint32(i.Size) / 4, Queue: queueOf(i), All: ignoresExec(i)}
	if i.Row.kin() == "s_waitcnt" {
		n := i.Chip.Set().waits(uint32(i.Imm))
		u.Waits, u.Vector, u.Workgroup = true, uint8(n.vector), uint8(n.workgroup)
		return u
	}
	for n := range i.Src {
		u.Reads = appendRegisters(u.Reads, &i.Src[n])
	}
	for n := range i.Scale {
		u.Reads = appendRegisters(u.Reads, &i.Scale[n])
	}
	u.Writes = appendRegisters(appendRegisters(u.Writes, &i.Dst), &i.SDst)
	switch name := i.Row.kin(); {
	case strings.HasPrefix(name, "s_cbranch_vcc"), strings.HasPrefix(name, "v_div_fmas"):
		u.Reads = append(u.Reads, RegisterRange{VccLo, 2})
	case strings.HasPrefix(name, "v_swap"), strings.HasPrefix(name, "v_permlane"):
		u.Writes = append(u.Writes, u.Reads...)
	}
	return u
}

func appendRegisters(to []RegisterRange, o *Operand) []RegisterRange {
	first := Register(o.Reg)
	switch o.Kind {
	case SReg:
	case VReg:
		first += firstVector
	case AReg:
		first += firstAccumulator
	default:
		return to
	}
	return append(to, RegisterRange{first, max(o.Width, 1)})
}

// queueOf is where an instruction ends. Caches that are invalidated count for
// nothing, as LLVM has it; those that are written back do.
func queueOf(i *Inst) Queue {
	name := i.Row.kin()
	switch i.Enc {
	case SMEM:
		return ScalarQueue
	case DS:
		if name != "ds_nop" {
			return WorkgroupQueue
		}
	case MUBUF, MTBUF, MIMG:
		if !strings.HasPrefix(name, "buffer_wbinvl1") {
			return VectorQueue
		}
	case FLAT:
		if i.Seg == segFlat {
			return FlatQueue
		}
		return VectorQueue
	}
	return NoQueue
}

// ignoresExec tells the vector instructions that use lanes that EXEC leaves out.
func ignoresExec(i *Inst) bool {
	switch name := i.Row.kin(); i.Enc {
	case VOP1, VOP2, VOP3:
		return name == "v_readlane_b32" || name == "v_writelane_b32"
	case VOP3P, VOP3PX:
		return i.Row.Form.Has(Matrix)
	}
	return false
}
