package emu

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// The buffer resource of the private segment: a base, and a layout in which dword n of all 64 lanes is contiguous.
// Words of a GFX9 V#.
const (
	rsrcSwizzle = 1 << 31                  // word 1
	rsrcWord3   = 4 | 5<<3 | 6<<6 | 7<<9 | // dst_sel x, y, z, w
		1<<19 | // element size: 4 bytes
		3<<21 | // index stride: 64
		1<<23 // add the lane number to the index
)

// sharedState sets what is the same at the start of all waves of a dispatch: the user SGPRs except the two for the
// wave's own scratch memory.
func (d *Dispatch) sharedState() {
	k := d.Kernel
	d.sgprs = [mostUserSGPRs]uint32{}
	at := uint32(0)
	for bit := privateSegmentBuffer; bit <= privateSegmentSize; bit <<= 1 {
		if k.user&bit == 0 {
			continue
		}
		pair := func(v uint64) {
			if at+1 < uint32(len(d.sgprs)) {
				d.sgprs[at], d.sgprs[at+1] = uint32(v), uint32(v>>32)
			}
			at += 2
		}
		switch bit {
		case privateSegmentBuffer:
			at += 4
		case dispatchPtr:
			pair(d.Packet)
		case queuePtr:
			pair(d.Queue)
		case kernargPtr:
			pair(d.Kernarg)
		case dispatchID:
			pair(d.ID)
		case flatScratchInit:
			at += 2
		case privateSegmentSize:
			if at < uint32(len(d.sgprs)) {
				d.sgprs[at] = k.Private
			}
			at++
		}
	}
	if k.preload > 0 {
		d.preload(d.sgprs[at : at+k.preload])
	}
}

// preload reads arguments that the descriptor asks for in scalar registers. They are zeros if there is no memory at
// their address, which a kernel that loads them itself faults at.
func (d *Dispatch) preload(to []uint32) {
	from := d.Kernarg + 4*uint64(d.Kernel.preloadAt)
	_, end, ok := d.Mem.Window(from, false)
	if !ok || end-from < 4*uint64(len(to)) {
		return
	}
	for n := range to {
		to[n] = memory.Load32(from + 4*uint64(n))
	}
}

// flatScratchAt returns the index of the first SGPR of the flat scratch address.
func (k *Kernel) flatScratchAt() int { return int((k.user & (flatScratchInit - 1)).words()) }

// startWave sets up the wave with index i as the hardware does.
//
// Every wave's scratch memory is a buffer of its own, so the wave offset that the kernel's prologue adds to the
// buffer's base is zero.
func (g *group) startWave(i int) {
	d, k, w := g.d, g.d.Kernel, &g.waves[i]
	clear(w.S[copy(w.S[:], d.sgprs[:]):wave.NullRead]) // the others are zeros, or written before they are read
	all := k.vgprs + k.agprs
	regs := g.vgprs[i*all : (i+1)*all : (i+1)*all]
	w.V, w.A = regs[:k.vgprs:k.vgprs], regs[k.vgprs:]
	w.SetSize(k.lanes == 32)
	g.files[i] = w.Files()
	w.SCC, w.Mode, w.PC, w.TextBase = 0, k.mode, k.entry, k.program.base
	w.LDS, w.Mem = g.lds, d.Mem
	w.SharedBase, w.PrivateBase = SharedBase, PrivateBase
	w.Status, w.Fault = wave.Running, nil
	w.Watch, w.Index, w.Profile = g.watch, i, g.profile
	w.StartSync(d.GWS)
	w.JoinBarrier(&g.barrier)
	if g.seen != d.serial {
		w.ForgetWindows()
	}
	size := k.Private * rowLanes
	base := g.scratch + uint64(i)*uint64(size)
	w.ScratchBase, w.ScratchEnd = base, base+uint64(size)
	if k.user&privateSegmentBuffer != 0 {
		w.S[0] = uint32(base)
		w.S[1] = uint32(base>>32)&0xffff | rsrcSwizzle
		w.S[2] = size
		w.S[3] = rsrcWord3
	}
	if k.user&flatScratchInit != 0 {
		at := k.flatScratchAt()
		w.S[at], w.S[at+1] = uint32(base), uint32(base>>32)
	}
	if k.scratch {
		at := k.program.t.Chip.Set().FlatScratch()
		w.S[at], w.S[at+1] = uint32(base), uint32(base>>32)
	}
	if k.idsInTraps {
		w.S[firstTrap+9], w.S[firstTrap+7] = g.id[0], g.id[1]&0xffff|g.id[2]<<16
	}
	at := k.userCount
	for axis, enabled := range k.groupID {
		if enabled {
			w.S[at] = g.id[axis]
			at++
		}
	}
	if k.groupInfo {
		w.S[at] = uint32(len(g.waves))
		if i == 0 {
			w.S[at] |= 1 << 31
		}
		at++
	}
	if k.waveOffset {
		w.S[at] = 0
	}
	g.startLanes(i, w)
}

// firstTrap is the first trap register, ttmp0.
const firstTrap = 108

// startLanes sets EXEC and the work-item IDs.
func (g *group) startLanes(i int, w *wave.Wave) {
	lanes := g.d.Kernel.lanes
	count := min(g.block[0]*g.block[1]*g.block[2]-uint32(i)*lanes, lanes)
	exec := ^uint64(0) >> (64 - count)
	w.S[wave.ExecLo], w.S[wave.ExecHi] = uint32(exec), uint32(exec>>32)
	ids := g.ids.of(i)
	for n := range ids {
		copy(w.V[n][:lanes], ids[n][:])
	}
}

// packIDs writes the first count of the IDs to one register.
func packIDs(count int, x, y, z uint32) uint32 {
	if count > 1 {
		x |= y << 10
	}
	if count > 2 {
		x |= z << 20
	}
	return x
}
