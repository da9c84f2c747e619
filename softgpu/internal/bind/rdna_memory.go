package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// LdsCompareStore is LDSAtomic for ds_cmpstore, whose data are in the other order than
// those of GFX9's ds_cmpst: the value to store, then the value to compare with.
func LdsCompareStore(op *memory.AtomicOp, words int) encoding.Meaning {
	as := LDSAtomic(op, words)
	return func(i *encoding.Inst) encoding.Step {
		c := *i
		c.Src[1], c.Src[2] = i.Src[2], i.Src[1]
		return as(&c)
	}
}

// nextCsub subtracts, and gives 0 where that would be less.
func nextCsub(old, data, _ uint64) uint64 { return old - min(old, data) }

// AtomicCsub subtracts, to zero at least.
var AtomicCsub = &memory.AtomicOp{Next: nextCsub}

// addtidSpace is global memory at a scalar address, a word for each lane.
type addtidSpace struct{ GlobalSpace }

// Resolve finds the memory that the active lanes mean.
func (g *addtidSpace) Resolve(w *wave.Wave, m, size uint64, write bool) (valid, step uint64) {
	base := g.Offset
	if g.Scalar >= 0 {
		base += w.S64(g.Scalar)
	}
	for l := range w.Addr {
		w.Addr[l] = base + uint64(l)*4
	}
	if !w.ReachLanes(m, base, base+63*4, size, write) {
		return 0, memory.Linear
	}
	return m, memory.Linear
}

func bindAddtid(i *encoding.Inst, n int) *addtidSpace {
	g := &addtidSpace{GlobalSpace{Scalar: -1, Offset: uint64(int64(i.Imm))}}
	if i.Src[n].Kind == encoding.SReg {
		g.Scalar = int(i.Src[n].Reg)
	}
	return g
}

// GlobalAddtidLoad binds global_load_addtid_b32.
func GlobalAddtidLoad(i *encoding.Inst) encoding.Step {
	return stepLoad(spaceOnly{bindAddtid(i, 0)}, Dword, BindRegisters(&i.Dst))
}

// GlobalAddtidStore binds global_store_addtid_b32.
func GlobalAddtidStore(i *encoding.Inst) encoding.Step {
	return stepStore(spaceOnly{bindAddtid(i, 1)}, Dword, BindRegisters(&i.Src[0]))
}

// spaceOnly hides a space's other methods.
type spaceOnly struct{ wave.Space }
