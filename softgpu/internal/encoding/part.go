package encoding

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Part is how an instruction runs as part of a run: as ops without a call for each, for waves
// whose lanes are all active and whose MODE has some bits.
type Part struct {
	Step    Step // its step outside of runs
	Ops     []alu.Op
	Need    uint32 // bits of MODE
	Vectors int    // vector registers that the wave must have
	Lanes   bool   // it minds EXEC
	Whole   bool   // its ops are for waves whose lanes are all active
	Results int    // vector registers that its last op writes
	Mask    int    // which operand of that is a mask that it writes; -1: none
	Single  bool   // the mask is one register
	Exec    bool   // it writes EXEC: what follows may have other lanes active
	Leaves  bool   // it is a branch: its op leaves the run, or goes to its beginning, if it is taken
	Always  bool   // the run ends here: with a branch that is always taken, or with the step of an instruction without ops
	By      int32  // where a branch goes, in words from the next instruction
	Second  *Part  // of an instruction that is two, the one that runs after this
	Keep    []any  // objects whose addresses are in ops

	Then wave.Status // after a step that only sets the status, or that is s_barrier; wave.Running for others
}
