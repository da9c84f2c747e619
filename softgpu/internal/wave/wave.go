package wave

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
)

// Scalar register numbers in Wave.S with a meaning of their own. From NamedScalars on no
// operand has that number: what sets call differently stands there.
const (
	FlatScratchLo = 102 // of GFX9
	FlatScratchHi = 103
	VccLo         = 106
	VccHi         = 107
	M0            = 124
	ExecLo        = 126
	ExecHi        = 127
	FlatScratch11 = 128 // and the next: flat_scratch where it is no scalar register

	NamedScalars = 128
	NullWritten  = 144 // 16 registers that null's writes go to
	NullRead     = 160 // and 16 that are always 0

	AllScalars = 255
)

// Wave is the architectural state of one wave of 64 work-items. One of 32 is one of 64 whose
// upper half never has a bit of EXEC: see SetSize.
type Wave struct {
	S   [AllScalars + 1]uint32 // SGPRs, VCC, TTMPs, M0 and EXEC by their operand numbers in GFX9
	V   []alu.Lanes            // VGPRs that the kernel allocated
	A   []alu.Lanes            // accumulator VGPRs
	SCC uint32                 // 0 or 1

	absent uint32 // lanes of the upper half that do not exist: none, or all

	Mode uint32 // MODE register: rounding, denormals, DX10_CLAMP, IEEE, GPR index mode

	PC       uint32 // next instruction, in 32-bit words from TextBase: past an instruction when its Step runs; a branch overwrites it
	TextBase uint64 // device address of word 0

	away      bool // PC is nowhere, as the wave goes to elsewhere
	elsewhere uint64

	LDS         []byte // the workgroup's
	Mem         Memory
	SharedBase  uint64 // flat aperture of LDS
	PrivateBase uint64 // flat aperture of scratch
	ScratchBase uint64 // address of the wave's own scratch
	ScratchEnd  uint64 // and of what is behind it; zero: accesses to it are not bounded

	Status Status
	Fault  *Fault // set with Faulted

	Watch Watch // of instructions that are bound with Watched; those need one
	Index int   // which wave of its workgroup this is; for Watch

	Profile any // the workgroup's, of whoever wraps the instructions' steps

	GwsOf *GWS // the queue's; nil: the launch may not use it
	Gws   GWSWait

	// Memory windows found last, so that most accesses need no look-up.
	Reads, Writes windows
	aliases       aliases
	resource      knownResource

	// Room for one instruction's operands: broadcast scalars, modified
	// sources, results that a modifier or EXEC still has to pass.
	Temp [4]alu.Pair
	Addr [64]uint64
	Old  alu.Lanes

	Matrix     *matrix.MatrixTemp  // made by the first matrix instruction
	Single     *Wave               // made by the first scalar instruction on floats
	Conversion *alu.ConversionTemp // made by the first conversion with a scale
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

// Lanes is how many lanes the wave has.
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

// ForgetWindows drops what the wave remembers of its memory. To be called when
// what lies behind addresses changed, or when Mem did.
func (w *Wave) ForgetWindows() { w.Reads, w.Writes, w.aliases = windows{}, windows{}, aliases{} }

// Fail stops the wave. A lane of -1 stands for the whole wave.
func (w *Wave) Fail(reason string, lane int, addr uint64) {
	if w.Status != Faulted {
		w.Status, w.Fault = Faulted, &Fault{Reason: reason, Lane: lane, Addr: addr, PC: w.PC}
	}
}

// Status tells why a wave does not go on to its next instruction.
type Status uint8

// The statuses of a wave.
const (
	Running   Status = iota
	AtBarrier        // s_barrier: go on when the whole workgroup is there
	Yielded          // s_sleep and the like: let others run, then go on
	Ended            // s_endpgm
	Faulted          // see Wave.Fault
	Rebound          // MODE has become the usual one, or no longer is: go on with steps bound for it
)

// Fault is what a wave did wrong.
type Fault struct {
	Reason string // "write to an address that is not mapped"
	Lane   int    // -1: not one lane's
	Addr   uint64 // for memory faults
	PC     uint32 // of the instruction, in words; set by whoever runs the wave
}

// Memory tells what lies behind global addresses. Addresses are the host's own,
// but for those that an [Aliaser] knows.
type Memory interface {
	// Window returns the largest known range around addr that may be read or,
	// if write is set, written as well, directly through host pointers.
	// ok is false where nothing is mapped.
	Window(addr uint64, write bool) (lo, hi uint64, ok bool)
}
