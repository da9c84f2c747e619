package rows

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
)

// What memory instructions of GFX12 have different.

// newAtomics are the atomics that all kinds of memory have got.
func newAtomics(kind string, form *encoding.Form, atomic func(*memory.AtomicOp, int) encoding.Meaning) []encoding.Row {
	row := func(op uint16, name string, of *memory.AtomicOp) encoding.Row {
		return encoding.Row{Op: op, Name: kind + "_atomic_" + name, Form: form, Do: atomic(of, 1)}
	}
	return []encoding.Row{
		row(0x37, "sub_clamp_u32", bind.AtomicCsub), row(0x50, "cond_sub_u32", bind.AtomicCondSub),
		row(0x51, "min_num_f32", memory.AtomicMinF32), row(0x52, "max_num_f32", memory.AtomicMaxF32),
		row(0x59, "pk_add_f16", memory.AtomicPkAddF16), row(0x5a, "pk_add_bf16", memory.AtomicPkAddBF16),
	}
}

func rows12Flat() change {
	return change{
		without: []string{"flat_atomic_cmpswap_f32", "flat_atomic_min_f32", "flat_atomic_max_f32"},
		more:    newAtomics("flat", &flatAtomic1, bind.FlatAtomic),
	}
}

func rows12Global() change {
	return change{
		without: []string{"global_atomic_csub_u32", "global_atomic_cmpswap_f32", "global_atomic_min_f32", "global_atomic_max_f32"},
		more: append(newAtomics("global", &globalAtomic1, bind.GlobalAtomic), []encoding.Row{
			{Op: 0x2b, Name: "global_inv", Form: &globalCache, Do: bind.Nothing},
			{Op: 0x2c, Name: "global_wb", Form: &globalCache, Do: bind.Nothing},
			{Op: 0x4f, Name: "global_wbinv", Form: &globalCache, Do: bind.Nothing},
			{Op: 0x53, Name: "global_load_block", Form: &globalLoadBlock, Do: bind.LoadBlock},
			{Op: 0x54, Name: "global_store_block", Form: &globalStoreBlock, Do: bind.StoreBlock},
			{Op: 0x57, Name: "global_load_tr_b128", Form: &globalLoadSpread4, Do: bind.GlobalLoadTransposed},
			{Op: 0x58, Name: "global_load_tr_b64", Form: &globalLoadSpread2, Do: nil},
			{Op: 0x73, Name: "global_atomic_ordered_add_b64", Form: &globalAtomic2, Do: nil},
		}...),
	}
}

func rows12Scratch() change {
	return change{more: []encoding.Row{
		{Op: 0x53, Name: "scratch_load_block", Form: &scratchLoadBlock, Do: bind.LoadBlock},
		{Op: 0x54, Name: "scratch_store_block", Form: &scratchStoreBlock, Do: bind.StoreBlock},
	}}
}

func rows12MUBUF() change {
	return change{
		without: []string{"buffer_gl0_inv", "buffer_gl1_inv", "buffer_atomic_csub_u32", "buffer_atomic_cmpswap_f32", "buffer_atomic_min_f32", "buffer_atomic_max_f32"},
		more:    newAtomics("buffer", &mubufAtomic1, bind.BufferAtomic),
	}
}

func rows12DS() change {
	c := change{
		without: []string{
			"ds_cmpstore_f32", "ds_gws_sema_release_all", "ds_gws_init", "ds_gws_sema_v", "ds_gws_sema_br", "ds_gws_sema_p", "ds_gws_barrier",
			"ds_cmpstore_rtn_f32", "ds_wrap_rtn_b32", "ds_ordered_count", "ds_cmpstore_f64", "ds_cmpstore_rtn_f64", "ds_add_gs_reg_rtn", "ds_sub_gs_reg_rtn",
		},
		renamed: map[string]string{
			"ds_min_f32": "ds_min_num_f32", "ds_max_f32": "ds_max_num_f32", "ds_min_rtn_f32": "ds_min_num_rtn_f32", "ds_max_rtn_f32": "ds_max_num_rtn_f32",
			"ds_min_f64": "ds_min_num_f64", "ds_max_f64": "ds_max_num_f64", "ds_min_rtn_f64": "ds_min_num_rtn_f64", "ds_max_rtn_f64": "ds_max_num_rtn_f64",
		},
		more: []encoding.Row{{Op: 0xcd, Name: "ds_bpermute_fi_b32", Form: &ds1_a1d1, Do: bind.BpermuteFetch}},
	}
	for n, a := range []struct {
		name string
		of   *memory.AtomicOp
	}{{"cond_sub%s_u32", bind.AtomicCondSub}, {"sub_clamp%s_u32", bind.AtomicCsub}, {"pk_add%s_f16", memory.AtomicPkAddF16}, {"pk_add%s_bf16", memory.AtomicPkAddBF16}} {
		c.more = append(c.more,
			encoding.Row{Op: 0x98 + uint16(n), Name: fmt.Sprintf("ds_"+a.name, ""), Form: &ds_a1d1, Do: bind.LDSAtomic(a.of, 1)},
			encoding.Row{Op: 0xa8 + uint16(n), Name: fmt.Sprintf("ds_"+a.name, "_rtn"), Form: &ds1_a1d1, Do: bind.LDSAtomic(a.of, 1)})
	}
	return c
}
