package watch

import (
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Counted returns step, to which i was bound, for waves that have a Watch.
func Counted(i *encoding.Inst, step encoding.Step) encoding.Step {
	u := UsesOf(i)
	return func(w *wave.Wave) {
		w.Watch.Issued(w, u)
		step(w)
	}
}

// UsesOf returns an instruction's registers and counters.
func UsesOf(i *encoding.Inst) *wave.Uses {
	most := uint8(i.Chip.Set().Facts().MostWorkgroup)
	u := &wave.Uses{Words: uint32(i.Size) / 4, Queue: QueueOf(i), All: ignoresExec(i), MostWorkgroup: most, FlatInOrder: i.Chip.RDNA()}
	u.Split = i.Chip.Set() >= encoding.GFX12
	if waitOf(i, u) {
		return u
	}
	if i.Chip.RDNA() && i.Dst.Kind == encoding.NoOperand && i.Row.Name != "global_inv" && (u.Queue == wave.VectorQueue || u.Queue == wave.FlatQueue) {
		u.Store = true // it writes memory
		if u.Queue == wave.VectorQueue {
			u.Queue = wave.StoreQueue
		}
	}
	for n := range i.Src {
		u.Reads = AppendRegisters(u.Reads, &i.Src[n])
	}
	for n := range i.Scale {
		u.Reads = AppendRegisters(u.Reads, &i.Scale[n])
	}
	u.Writes = AppendRegisters(AppendRegisters(u.Writes, &i.Dst), &i.SDst)
	if i.Second != nil {
		for n := range i.Second.Src {
			u.Reads = AppendRegisters(u.Reads, &i.Second.Src[n])
		}
		u.Writes = AppendRegisters(u.Writes, &i.Second.Dst)
	}
	switch name := i.Row.Kin(); {
	case strings.HasPrefix(name, "s_cbranch_vcc"), strings.HasPrefix(name, "v_div_fmas"):
		u.Reads = append(u.Reads, wave.RegisterRange{First: wave.VccLo, Count: maskWidth(i)})
	case strings.HasPrefix(name, "v_swap"), strings.HasPrefix(name, "v_permlane") && strings.Contains(name, "swap"):
		u.Writes = append(u.Writes, u.Reads...)
	}
	return u
}

// waitOf reports whether i waits for counters, and notes how low they have to be.
func waitOf(i *encoding.Inst, u *wave.Uses) bool {
	imm := uint32(i.Imm) & 0xffff
	vector, workgroup, scalar := uint32(wave.MostVector), uint32(u.MostWorkgroup), uint32(u.MostWorkgroup)
	stores, async, tensor := uint32(wave.MostVector), uint32(wave.MostCopies), uint32(wave.MostCopies)
	switch i.Row.Kin() {
	case "s_waitcnt":
		n := i.Chip.Set().Waits(imm)
		vector, workgroup, scalar = n.Vector, n.Workgroup, n.Workgroup
	case "s_waitcnt_vmcnt", "s_wait_loadcnt":
		vector = min(vector, imm)
	case "s_waitcnt_lgkmcnt":
		workgroup = min(workgroup, imm)
		scalar = workgroup
	case "s_waitcnt_vscnt", "s_wait_storecnt":
		stores = min(stores, imm)
	case "s_wait_dscnt":
		workgroup = min(workgroup, imm&63)
	case "s_wait_storecnt_dscnt":
		stores, workgroup = min(stores, imm>>8&63), min(workgroup, imm&63)
	case "s_wait_loadcnt_dscnt":
		vector, workgroup = min(vector, imm>>8&63), min(workgroup, imm&63)
	case "s_wait_kmcnt":
		scalar = min(scalar, imm)
	case "s_wait_asynccnt":
		async = min(async, imm)
	case "s_wait_tensorcnt":
		tensor = min(tensor, imm)
	case "s_wait_idle":
		vector, workgroup, scalar, stores, async, tensor = 0, 0, 0, 0, 0, 0
	default:
		return false
	}
	u.Waits, u.Vector, u.Workgroup, u.Scalar = true, uint8(vector), uint8(workgroup), uint8(scalar)
	u.Stores, u.Async, u.Tensor = uint8(stores), uint8(async), uint8(tensor)
	return true
}

// maskWidth is the number of scalar registers with a bit for each lane.
func maskWidth(i *encoding.Inst) uint8 {
	if i.Wave32 {
		return 1
	}
	return 2
}

// WaitsForAll reports whether i waits until no store to memory or, for workgroup, no access to LDS is in progress.
func WaitsForAll(i *encoding.Inst, workgroup bool) bool {
	switch i.Row.Kin() {
	case "s_waitcnt":
		n := i.Chip.Set().Waits(uint32(i.Imm))
		return workgroup && n.Workgroup == 0 || !workgroup && n.Vector == 0 && !i.Chip.RDNA()
	case "s_wait_idle":
		return true
	case "s_waitcnt_vscnt", "s_wait_storecnt":
		return !workgroup && i.Imm == 0
	case "s_wait_dscnt", "s_wait_loadcnt_dscnt":
		return workgroup && i.Imm&63 == 0
	case "s_wait_storecnt_dscnt":
		return workgroup && i.Imm&63 == 0 || !workgroup && i.Imm>>8&63 == 0
	}
	return false
}

// AppendRegisters adds the registers of an operand, if it has any.
func AppendRegisters(to []wave.RegisterRange, o *encoding.Operand) []wave.RegisterRange {
	first := wave.Register(o.Reg)
	switch o.Kind {
	case encoding.SReg:
		if o.Reg >= wave.NamedScalars {
			return to // null
		}
	case encoding.VReg:
		first += wave.FirstVector
	case encoding.AReg:
		first += wave.FirstAccumulator
	default:
		return to
	}
	return append(to, wave.RegisterRange{First: first, Count: max(o.Width, 1)})
}

// QueueOf returns the queue in which an instruction ends. As in LLVM, invalidations of caches are in none; write-backs
// are.
func QueueOf(i *encoding.Inst) wave.Queue {
	name := i.Row.Kin()
	switch i.Enc {
	case encoding.SMEM:
		if strings.Contains(name, "_prefetch") {
			return wave.NoQueue
		}
		return wave.ScalarQueue
	case encoding.SOP1:
		if strings.HasPrefix(name, "s_sendmsg_rtn") || name == "s_get_barrier_state" {
			return wave.ScalarQueue
		}
	case encoding.DS:
		if name == "ds_atomic_async_barrier_arrive_b64" {
			return wave.AsyncLoadQueue // it ends after earlier loads
		}
		if name != "ds_nop" {
			return wave.WorkgroupQueue
		}
	case encoding.VTENSOR:
		return wave.TensorQueue
	case encoding.MUBUF, encoding.MTBUF, encoding.MIMG:
		if !strings.HasPrefix(name, "buffer_wbinvl1") && !strings.HasPrefix(name, "buffer_gl") {
			return wave.VectorQueue
		}
	case encoding.FLAT:
		if strings.HasPrefix(name, "global_wb") {
			return wave.StoreQueue
		}
		if asynchronous(i) {
			if strings.HasPrefix(name, "global_store_") {
				return wave.AsyncStoreQueue
			}
			return wave.AsyncLoadQueue
		}
		if i.Seg == encoding.SegFlat {
			return wave.FlatQueue
		}
		return wave.VectorQueue
	}
	return wave.NoQueue
}

// ignoresExec reports whether an instruction uses lanes that are not in EXEC, or has none.
func ignoresExec(i *encoding.Inst) bool {
	switch name := i.Row.Kin(); i.Enc {
	case encoding.VOP1, encoding.VOP2, encoding.VOP3:
		return name == "v_readlane_b32" || name == "v_writelane_b32"
	case encoding.VOP3P, encoding.VOP3PX:
		return i.Row.Form.Has(encoding.Matrix)
	case encoding.VTENSOR:
		return true
	}
	return false
}
