package wave

import "fmt"

// Memory instructions end some time after they were issued, and s_waitcnt waits for them by counters. To check whether
// a program waits, bind its instructions with [Counted]: before it runs, each calls the wave's [Watch] with the
// registers that it uses and the counter that it increases.

// Queue is the order in which instructions of one kind end, and their counter (Vega ISA, "Manually Inserted Wait
// States"; LLVM's SIInsertWaitcnts).
type Queue uint8

// The queues.
const (
	NoQueue         Queue = iota // done when the next instruction is issued
	VectorQueue                  // vmcnt: vector memory, in the order of issue; in RDNA only loads
	WorkgroupQueue               // lgkmcnt: LDS, in the order of issue
	ScalarQueue                  // lgkmcnt: scalar memory, in any order
	FlatQueue                    // vmcnt, lgkmcnt or both, depending on the lanes' addresses
	AsyncLoadQueue               // asynccnt of GFX12.5: copies from memory into LDS, in the order of issue
	AsyncStoreQueue              // asynccnt, too: copies from LDS into memory, in the order of issue among themselves
	TensorQueue                  // tensorcnt of GFX12.5: copies of tensors, in the order of issue
	StoreQueue                   // vscnt, storecnt of GFX12: RDNA's stores and atomics without a result, in the order of issue
	NumQueues
)

// Async reports whether asynccnt counts the queue's instructions. They access LDS in any order, even where the counter
// falls in the order of issue (CDNA5 ISA, 10.8).
func (q Queue) Async() bool { return q == AsyncLoadQueue || q == AsyncStoreQueue }

// MostCopies is the highest value of asynccnt, and of tensorcnt.
const MostCopies = 63

// MostVector is the highest value of vmcnt, and of vscnt.
const MostVector = 63

// WaitCounts are the counters of s_waitcnt.
type WaitCounts struct{ Vector, Export, Workgroup uint32 }

// Register is one register of a wave, with one numbering for all files.
type Register uint16

// The beginnings of the files.
const (
	FirstVector      Register = 128
	FirstAccumulator Register = FirstVector + 1024
	NumRegisters     Register = FirstAccumulator + 256
)

// Vector reports whether r has a value for each lane.
func (r Register) Vector() bool { return r >= FirstVector }

// NameInRDNA returns the register's name in RDNA's assembly.
func (r Register) NameInRDNA() string {
	if r >= FlatScratchLo && r < VccLo {
		return fmt.Sprint("s", int(r))
	}
	return r.String()
}

// String returns the register's name in GFX9's assembly.
func (r Register) String() string {
	switch {
	case r >= FirstAccumulator:
		return fmt.Sprint("a", int(r-FirstAccumulator))
	case r >= FirstVector:
		return fmt.Sprint("v", int(r-FirstVector))
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

// half returns the name of one register of a pair, which begins at an even one.
func half(pair string, r Register) string { return pair + [2]string{"_lo", "_hi"}[r&1] }

// RegisterRange is a range of consecutive registers.
type RegisterRange struct {
	First Register
	Count uint8
}

// Uses is what is known of an instruction's registers and counters before its wave reaches it.
type Uses struct {
	Reads  []RegisterRange
	Writes []RegisterRange // written at once or, if there is a queue, when the instruction ends
	Queue  Queue
	Words  uint32 // the instruction's length in words; its own place is this far before Wave.PC
	All    bool   // all lanes, regardless of EXEC

	Store             bool // RDNA counts it as a store: vscnt counts it, vmcnt does not, and it writes no registers
	Waits             bool // s_waitcnt, for these values of the counters
	Vector, Workgroup uint8
	Scalar            uint8 // kmcnt of GFX12; of others the same as Workgroup
	Stores            uint8 // vscnt, storecnt
	Async, Tensor     uint8 // asynccnt, tensorcnt
	MostWorkgroup     uint8 // highest value of lgkmcnt
	FlatInOrder       bool  // flat instructions end in the order of issue, for each counter
	Split             bool  // each counter has an instruction of its own, and scalar memory a counter: GFX12
}

// Unordered reports whether instructions of the queue may write registers in another order than that of issue: GFX12's
// loads do, though their counter falls in order (LLVM's feature vmem-write-vgpr-in-order, which it does not have).
func (u *Uses) Unordered(q Queue) bool {
	return q == NoQueue || q == ScalarQueue || q == FlatQueue || q == VectorQueue && u.Split
}

// WaitText is the instruction that waits for vector memory, LDS and scalar memory with no more than so many younger
// ones; a negative number stands for those that it does not wait for.
func WaitText(split bool, vector, workgroup, scalar int) string {
	if !split {
		text := "s_waitcnt"
		if vector >= 0 {
			text += fmt.Sprintf(" vmcnt(%d)", vector)
		}
		if local := max(workgroup, scalar); local >= 0 {
			text += fmt.Sprintf(" lgkmcnt(%d)", local)
		}
		return text
	}
	switch {
	case vector >= 0 && workgroup >= 0:
		return fmt.Sprintf("s_wait_loadcnt_dscnt %#x", vector<<8|workgroup)
	case vector >= 0:
		return fmt.Sprintf("s_wait_loadcnt %#x", vector)
	case workgroup >= 0:
		return fmt.Sprintf("s_wait_dscnt %#x", workgroup)
	}
	return fmt.Sprintf("s_wait_kmcnt %#x", scalar)
}

// StoreWaitText is the instruction of RDNA that waits for stores with no more than so many younger ones.
func StoreWaitText(split bool, younger int) string {
	if split {
		return fmt.Sprintf("s_wait_storecnt %#x", younger)
	}
	return fmt.Sprintf("s_waitcnt_vscnt null, %#x", younger)
}
