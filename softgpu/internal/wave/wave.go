package wave

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
)

// Scalar register numbers in Wave.S with a special meaning. Operands have no numbers from NamedScalars on: these are
// for registers that instruction sets encode differently.
const (
	FlatScratchLo = 102 // in GFX9
	FlatScratchHi = 103
	VccLo         = 106
	VccHi         = 107
	M0            = 124
	ExecLo        = 126
	ExecHi        = 127
	FlatScratch11 = 128 // and the next: flat_scratch in sets in which it is not a scalar register

	NamedScalars  = 128
	NullWritten   = 144 // 16 registers to which writes of null go
	NullRead      = 160 // 16 registers that are always 0
	ScaledAddress = 176 // and the next: the address of a scalar memory instruction of GFX12.5 whose offset is scaled

	AllScalars = 255
)

// Wave is the architectural state of one wave of 64 work-items. In a wave of 32, the upper half of EXEC is always zero:
// see SetSize.
type Wave struct {
	// Temporary memory for one instruction's operands: broadcast scalars, modified sources, and results before
	// modifiers and EXEC.
	Temp [4]alu.Pair
	Addr [64]uint64
	Old  alu.Lanes

	S   [AllScalars + 1]uint32 // SGPRs, VCC, TTMPs, M0 and EXEC by their operand numbers in GFX9
	V   []alu.Lanes            // VGPRs that the kernel allocated
	A   []alu.Lanes            // accumulator VGPRs
	SCC uint32                 // 0 or 1

	absent uint32 // lanes of the upper half that do not exist: none, or all

	Mode uint32 // MODE register: rounding, denormals, DX10_CLAMP, IEEE, GPR index mode

	PC       uint32 // next instruction, in words from TextBase, also while a Step runs; a branch overwrites it
	TextBase uint64 // device address of word 0

	away      bool // PC is nowhere, since the wave goes to elsewhere
	elsewhere uint64

	LDS         []byte // the workgroup's
	Mem         Memory
	SharedBase  uint64 // flat aperture of LDS
	PrivateBase uint64 // flat aperture of scratch
	ScratchBase uint64 // address of the wave's own scratch memory
	ScratchEnd  uint64 // end of the scratch memory; zero: accesses to it are not bounded

	Status Status
	Fault  *Fault // set with Faulted

	Watch Watch // for instructions that are bound with Watched, which need it
	Index int   // number of the wave in its workgroup; for Watch

	Profile any // the workgroup's profile, for wrapped steps

	Group   *Barrier // its workgroup's
	arrived bool     // at it, since all waves last were
	passed  uint32   // phases of it

	joined  uint32 // number of the barrier that the wave has joined; 0: none
	seen    uint32 // phases of it that the wave knows of
	atNamed bool   // it waits there

	GwsOf *GWS // the queue's; nil: the launch must not use it
	Gws   GWSWait

	// The memory windows found last, so that most accesses need no look-up.
	Reads, Writes windows
	aliases       aliases
	resource      knownResource

	Matrix     *matrix.MatrixTemp  // made by the first matrix instruction
	Single     *Wave               // made by the first scalar instruction on floats
	Conversion *alu.ConversionTemp // made by the first conversion with a scale

	Repeated int // instructions that the last step executed beyond those that it has; negative: it left some out

	_ [16]byte // a multiple of 64 bytes in all: no vector of Temp lies in two cache lines
}

// Exec returns the mask of active lanes; bit n is lane n.
func (w *Wave) Exec() uint64 { return uint64(w.S[ExecLo]) | uint64(w.S[ExecHi])<<32 }

// SetExec replaces the mask of active lanes.
func (w *Wave) SetExec(m uint64) { w.S[ExecLo], w.S[ExecHi] = uint32(m), uint32(m>>32) }

// SetSize makes the wave one of 32 lanes, or of 64.
func (w *Wave) SetSize(wave32 bool) {
	w.absent = 0
	if wave32 {
		w.absent = 1<<32 - 1
	}
}

// Lanes returns the number of lanes of the wave.
func (w *Wave) Lanes() int {
	if w.absent != 0 {
		return 32
	}
	return 64
}

// Vcc returns the vector condition code; bit n is lane n.
func (w *Wave) Vcc() uint64 { return uint64(w.S[VccLo]) | uint64(w.S[VccHi]&^w.absent)<<32 }

// S64 returns a pair of scalar registers.
func (w *Wave) S64(reg int) uint64 {
	return uint64(w.S[reg&AllScalars]) | uint64(w.S[(reg+1)&AllScalars])<<32
}

// SetS64 sets a pair of scalar registers.
func (w *Wave) SetS64(reg int, v uint64) {
	w.S[reg&AllScalars], w.S[(reg+1)&AllScalars] = uint32(v), uint32(v>>32)
}

// ForgetWindows drops the cached windows. Call it when the memory at known addresses has changed, or when Mem has.
func (w *Wave) ForgetWindows() { w.Reads, w.Writes, w.aliases = windows{}, windows{}, aliases{} }

// Fail stops the wave. A lane of -1 stands for the whole wave.
func (w *Wave) Fail(reason string, lane int, addr uint64) {
	if w.Status != Faulted {
		w.Status, w.Fault = Faulted, &Fault{Reason: reason, Lane: lane, Addr: addr, PC: w.PC}
	}
}

// Status says why a wave does not continue with its next instruction.
type Status uint8

// The statuses of a wave.
const (
	Running   Status = iota
	AtBarrier        // s_barrier, s_barrier_wait: continue when the whole workgroup has arrived
	Yielded          // s_sleep and the like: let others run, then continue
	Ended            // s_endpgm
	Faulted          // see Wave.Fault
	Rebound          // MODE has become the usual one, or no longer is: go on with steps bound for it
)

// Fault is an error of a wave.
type Fault struct {
	Reason string // "write to an address that is not mapped"
	Lane   int    // -1: not a single lane
	Addr   uint64 // for memory faults
	PC     uint32 // of the instruction, in words; set by the caller that runs the wave
}

// Memory finds the memory at global addresses. Addresses are the host's own, except those that an [Aliaser] knows.
type Memory interface {
	// Window returns the largest known range around addr that may be read or, if write is set, written, directly
	// through host pointers. ok is false if nothing is mapped.
	Window(addr uint64, write bool) (lo, hi uint64, ok bool)
}
