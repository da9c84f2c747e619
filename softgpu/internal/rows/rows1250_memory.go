package rows

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
)

// What memory instructions of GFX12.5 have different.

// doubleAtomics are the atomics on doubles, which all kinds of memory have got.
func doubleAtomics(kind string, form *encoding.Form, atomic func(*memory.AtomicOp, int) encoding.Meaning) []encoding.Row {
	row := func(op uint16, name string, of *memory.AtomicOp) encoding.Row {
		return encoding.Row{Op: op, Name: kind + "_atomic_" + name, Form: form, Do: atomic(of, 2)}
	}
	return []encoding.Row{
		row(0x55, "add_f64", memory.AtomicAddF64), row(0x5b, "min_num_f64", memory.AtomicMinF64), row(0x5c, "max_num_f64", memory.AtomicMaxF64),
	}
}

// monitored are loads that also watch an address for s_monitor_sleep, which wakes up by itself here.
func monitored(kind string, forms [3]*encoding.Form, loads [3]encoding.Meaning) []encoding.Row {
	var rows []encoding.Row
	for n, bits := range []int{32, 64, 128} {
		rows = append(rows, encoding.Row{Op: 0x70 + uint16(n), Name: fmt.Sprintf("%s_load_monitor_b%d", kind, bits), Form: forms[n], Do: loads[n]})
	}
	return rows
}

// withScalarAddress gives flat instructions an address in scalar registers.
func withScalarAddress(rows []encoding.Row) []encoding.Row {
	for n := range rows {
		rows[n].Form = formMade(formKey{of: rows[n].Form, set: encoding.GFX1250}, func(g *encoding.Form, _ formKey) {
			for s := range g.Src {
				if g.Src[s].Class == encoding.NoSlot {
					g.Src[s] = sgprs(2, encoding.AtSaddr)
					return
				}
			}
		})
	}
	return rows
}

func rows1250Flat() change {
	c := change{more: append(doubleAtomics("flat", &flatAtomic2, bind.FlatAtomic), encoding.Row{Op: 0x5d, Name: "flat_prefetch_b8", Form: &flatPrefetch, Do: bind.Nothing})}
	c.more = append(c.more, monitored("flat", [3]*encoding.Form{&flatLoad1, &flatLoad2, &flatLoad4},
		[3]encoding.Meaning{bind.FlatLoad(bind.Dword), bind.FlatLoad(bind.Dwordx2), bind.FlatLoad(bind.Dwordx4)})...)
	return c
}

func rows1250Global() change {
	c := change{
		without: []string{"global_load_tr_b128", "global_load_tr_b64", "global_atomic_ordered_add_b64"},
		more:    doubleAtomics("global", &globalAtomic2, bind.GlobalAtomic),
	}
	loads := [3]encoding.Meaning{bind.GlobalLoad(bind.Dword), bind.GlobalLoad(bind.Dwordx2), bind.GlobalLoad(bind.Dwordx4)}
	forms := [3]*encoding.Form{&globalLoad1, &globalLoad2, &globalLoad4}
	c.more = append(c.more, monitored("global", forms, loads)...)
	c.more = append(c.more, []encoding.Row{
		{Op: 0x57, Name: "global_load_tr16_b128", Form: &globalLoad4, Do: bind.GlobalLoadTransposed},
		{Op: 0x58, Name: "global_load_tr8_b64", Form: &globalLoad2, Do: bind.GlobalTransposed8},
		{Op: 0x73, Name: "global_load_tr4_b64", Form: &globalLoad2},
		{Op: 0x74, Name: "global_load_tr6_b96", Form: &globalLoad3Loose},
		{Op: 0x5d, Name: "global_prefetch_b8", Form: &globalPrefetch, Do: bind.Nothing},
		{Op: 0x67, Name: "cluster_load_b32", Form: forms[0], Do: loads[0]},
		{Op: 0x68, Name: "cluster_load_b64", Form: forms[1], Do: loads[1]},
		{Op: 0x69, Name: "cluster_load_b128", Form: forms[2], Do: loads[2]},
		{Op: 0x6e, Name: "tensor_save", Form: &tensorSave, Do: nil},
		{Op: 0x6f, Name: "tensor_stop", Form: &tensorStop, Do: nil},
	}...)
	for n, kind := range []string{"b8", "b32", "b64", "b128"} {
		op, do := uint16(n), bind.AsyncBytes([]uint64{1, 4, 8, 16}[n])
		c.more = append(c.more,
			encoding.Row{Op: 0x5f + op, Name: "global_load_async_to_lds_" + kind, Form: &globalAsyncLoad, Do: do},
			encoding.Row{Op: 0x63 + op, Name: "global_store_async_from_lds_" + kind, Form: &globalAsyncStore, Do: do},
			encoding.Row{Op: 0x6a + op, Name: "cluster_load_async_to_lds_" + kind, Form: &globalAsyncLoad, Do: do})
	}
	return c
}

func rows1250MUBUF() change {
	gone := []string{}
	for _, what := range []string{"load", "store"} {
		for _, d16 := range []string{"", "d16_"} {
			for _, parts := range []string{"x", "xy", "xyz", "xyzw"} {
				gone = append(gone, "buffer_"+what+"_"+d16+"format_"+parts)
			}
		}
		gone = append(gone, "buffer_"+what+"_d16_hi_format_x")
	}
	return change{without: gone, more: doubleAtomics("buffer", &mubufAtomic2, bind.BufferAtomic)}
}

func rows1250DS() change {
	return change{more: []encoding.Row{
		{Op: 0x54, Name: "ds_add_f64", Form: &ds_a1d2, Do: bind.LDSAtomic(memory.AtomicAddF64, 2)},
		{Op: 0x56, Name: "ds_atomic_async_barrier_arrive_b64", Form: &ds_a1, Do: bind.ArriveLDS},
		{Op: 0x74, Name: "ds_add_rtn_f64", Form: &ds2_a1d2, Do: bind.LDSAtomic(memory.AtomicAddF64, 2)},
		{Op: 0x75, Name: "ds_atomic_barrier_arrive_rtn_b64", Form: &ds2_a1d2, Do: bind.LDSAtomic(memory.AtomicArrive, 2)},
		{Op: 0xfa, Name: "ds_load_tr4_b64", Form: &ds2_a1},
		{Op: 0xfb, Name: "ds_load_tr6_b96", Form: &ds3_a1Loose},
		{Op: 0xfc, Name: "ds_load_tr16_b128", Form: &ds4_a1, Do: bind.LDSTransposed16},
		{Op: 0xfd, Name: "ds_load_tr8_b64", Form: &ds2_a1, Do: bind.LDSTransposed8},
	}}
}

func rows1250Tensor() []encoding.Row {
	return []encoding.Row{
		{Op: 0xc4, Name: "tensor_load_to_lds", Form: &tensorLoad, Do: bind.CopyTensor},
		{Op: 0xc5, Name: "tensor_store_from_lds", Form: &tensorCopy, Do: bind.CopyTensor},
	}
}
