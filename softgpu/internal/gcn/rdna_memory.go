package gcn

import "github.com/mgpu-runtime/mgpu/softgpu/internal/memory"

// ldsCompareStore is ldsAtomic for ds_cmpstore, whose data are in the other order than
// those of GFX9's ds_cmpst: what is stored, then what is compared with.
func ldsCompareStore(op *memory.AtomicOp, words int) Meaning {
	as := ldsAtomic(op, words)
	return func(i *Inst) Step {
		c := *i
		c.Src[1], c.Src[2] = i.Src[2], i.Src[1]
		return as(&c)
	}
}

// nextCsub subtracts, and gives 0 where that would be less.
func nextCsub(old, data, _ uint64) uint64 { return old - min(old, data) }

var atomicCsub = &memory.AtomicOp{Next: nextCsub}

// addtidSpace is global memory at a scalar address, a word for each lane.
type addtidSpace struct{ globalSpace }

func (g *addtidSpace) resolve(w *Wave, m, size uint64, write bool) (valid, step uint64) {
	base := g.offset
	if g.scalar >= 0 {
		base += w.s64(g.scalar)
	}
	for l := range w.addr {
		w.addr[l] = base + uint64(l)*4
	}
	if !w.reachLanes(m, base, base+63*4, size, write) {
		return 0, memory.Linear
	}
	return m, memory.Linear
}

func bindAddtid(i *Inst, n int) *addtidSpace {
	g := &addtidSpace{globalSpace{scalar: -1, offset: uint64(int64(i.Imm))}}
	if i.Src[n].Kind == SReg {
		g.scalar = int(i.Src[n].Reg)
	}
	return g
}

func globalAddtidLoad(i *Inst) Step {
	return stepLoad(spaceOnly{bindAddtid(i, 0)}, dword, bindRegisters(&i.Dst))
}

func globalAddtidStore(i *Inst) Step {
	return stepStore(spaceOnly{bindAddtid(i, 1)}, dword, bindRegisters(&i.Src[0]))
}

// spaceOnly hides what else a space can do.
type spaceOnly struct{ space }
