package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
)

// rowsFlat are the memory instructions through generic addresses.
var rowsFlat = sync.OnceValue(func() []encoding.Row {
	return []encoding.Row{
		{Op: 0x10, Name: "flat_load_ubyte", Form: &flatLoad1, Do: bind.FlatLoad(bind.Ubyte)},
		{Op: 0x11, Name: "flat_load_sbyte", Form: &flatLoad1, Do: bind.FlatLoad(bind.Sbyte)},
		{Op: 0x12, Name: "flat_load_ushort", Form: &flatLoad1, Do: bind.FlatLoad(bind.Ushort)},
		{Op: 0x13, Name: "flat_load_sshort", Form: &flatLoad1, Do: bind.FlatLoad(bind.Sshort)},
		{Op: 0x14, Name: "flat_load_dword", Form: &flatLoad1, Do: bind.FlatLoad(bind.Dword)},
		{Op: 0x15, Name: "flat_load_dwordx2", Form: &flatLoad2, Do: bind.FlatLoad(bind.Dwordx2)},
		{Op: 0x16, Name: "flat_load_dwordx3", Form: &flatLoad3, Do: bind.FlatLoad(bind.Dwordx3)},
		{Op: 0x17, Name: "flat_load_dwordx4", Form: &flatLoad4, Do: bind.FlatLoad(bind.Dwordx4)},
		{Op: 0x18, Name: "flat_store_byte", Form: &flatStore1, Do: bind.FlatStore(bind.Ubyte)},
		{Op: 0x19, Name: "flat_store_byte_d16_hi", Form: &flatStore1, Do: bind.FlatStore(bind.UbyteHigh)},
		{Op: 0x1a, Name: "flat_store_short", Form: &flatStore1, Do: bind.FlatStore(bind.Ushort)},
		{Op: 0x1b, Name: "flat_store_short_d16_hi", Form: &flatStore1, Do: bind.FlatStore(bind.ShortHigh)},
		{Op: 0x1c, Name: "flat_store_dword", Form: &flatStore1, Do: bind.FlatStore(bind.Dword)},
		{Op: 0x1d, Name: "flat_store_dwordx2", Form: &flatStore2, Do: bind.FlatStore(bind.Dwordx2)},
		{Op: 0x1e, Name: "flat_store_dwordx3", Form: &flatStore3, Do: bind.FlatStore(bind.Dwordx3)},
		{Op: 0x1f, Name: "flat_store_dwordx4", Form: &flatStore4, Do: bind.FlatStore(bind.Dwordx4)},
		{Op: 0x20, Name: "flat_load_ubyte_d16", Form: &flatLoad1, Do: bind.FlatLoad(bind.UbyteD16)},
		{Op: 0x21, Name: "flat_load_ubyte_d16_hi", Form: &flatLoad1, Do: bind.FlatLoad(bind.UbyteHigh)},
		{Op: 0x22, Name: "flat_load_sbyte_d16", Form: &flatLoad1, Do: bind.FlatLoad(bind.SbyteD16)},
		{Op: 0x23, Name: "flat_load_sbyte_d16_hi", Form: &flatLoad1, Do: bind.FlatLoad(bind.SbyteHigh)},
		{Op: 0x24, Name: "flat_load_short_d16", Form: &flatLoad1, Do: bind.FlatLoad(bind.ShortD16)},
		{Op: 0x25, Name: "flat_load_short_d16_hi", Form: &flatLoad1, Do: bind.FlatLoad(bind.ShortHigh)},
		{Op: 0x40, Name: "flat_atomic_swap", Form: &flatAtomic1, Do: bind.FlatAtomic(memory.AtomicSwap, 1)},
		{Op: 0x41, Name: "flat_atomic_cmpswap", Form: &flatAtomicCmp1, Do: bind.FlatAtomic(memory.AtomicCmpswap, 1)},
		{Op: 0x42, Name: "flat_atomic_add", Form: &flatAtomic1, Do: bind.FlatAtomic(memory.AtomicAdd, 1)},
		{Op: 0x43, Name: "flat_atomic_sub", Form: &flatAtomic1, Do: bind.FlatAtomic(memory.AtomicSub, 1)},
		{Op: 0x44, Name: "flat_atomic_smin", Form: &flatAtomic1, Do: bind.FlatAtomic(memory.AtomicSmin32, 1)},
		{Op: 0x45, Name: "flat_atomic_umin", Form: &flatAtomic1, Do: bind.FlatAtomic(memory.AtomicUmin, 1)},
		{Op: 0x46, Name: "flat_atomic_smax", Form: &flatAtomic1, Do: bind.FlatAtomic(memory.AtomicSmax32, 1)},
		{Op: 0x47, Name: "flat_atomic_umax", Form: &flatAtomic1, Do: bind.FlatAtomic(memory.AtomicUmax, 1)},
		{Op: 0x48, Name: "flat_atomic_and", Form: &flatAtomic1, Do: bind.FlatAtomic(memory.AtomicAnd, 1)},
		{Op: 0x49, Name: "flat_atomic_or", Form: &flatAtomic1, Do: bind.FlatAtomic(memory.AtomicOr, 1)},
		{Op: 0x4a, Name: "flat_atomic_xor", Form: &flatAtomic1, Do: bind.FlatAtomic(memory.AtomicXor, 1)},
		{Op: 0x4b, Name: "flat_atomic_inc", Form: &flatAtomic1, Do: bind.FlatAtomic(memory.AtomicInc, 1)},
		{Op: 0x4c, Name: "flat_atomic_dec", Form: &flatAtomic1, Do: bind.FlatAtomic(memory.AtomicDec, 1)},
		{Op: 0x4d, Name: "flat_atomic_add_f32", Form: &flatAtomicF1, Do: bind.FlatAtomic(memory.AtomicAddF32, 1), Chips: encoding.FromGfx942, Fidelity: &added},
		{Op: 0x4e, Name: "flat_atomic_pk_add_f16", Form: &flatAtomicF1, Do: bind.FlatAtomic(memory.AtomicPkAddF16, 1), Chips: encoding.FromGfx942, Fidelity: &added},
		{Op: 0x4f, Name: "flat_atomic_add_f64", Form: &flatAtomicF2, Do: bind.FlatAtomic(memory.AtomicAddF64, 2), Chips: encoding.FromGfx90a, Fidelity: &added},
		{Op: 0x50, Name: "flat_atomic_min_f64", Form: &flatAtomicF2, Do: bind.FlatAtomic(memory.AtomicMinF64, 2), Chips: encoding.FromGfx90a},
		{Op: 0x51, Name: "flat_atomic_max_f64", Form: &flatAtomicF2, Do: bind.FlatAtomic(memory.AtomicMaxF64, 2), Chips: encoding.FromGfx90a},
		{Op: 0x52, Name: "flat_atomic_pk_add_bf16", Form: &flatAtomicF1, Do: bind.FlatAtomic(memory.AtomicPkAddBF16, 1), Chips: encoding.FromGfx942, Fidelity: &added},
		{Op: 0x60, Name: "flat_atomic_swap_x2", Form: &flatAtomic2, Do: bind.FlatAtomic(memory.AtomicSwap, 2)},
		{Op: 0x61, Name: "flat_atomic_cmpswap_x2", Form: &flatAtomicCmp2, Do: bind.FlatAtomic(memory.AtomicCmpswap, 2)},
		{Op: 0x62, Name: "flat_atomic_add_x2", Form: &flatAtomic2, Do: bind.FlatAtomic(memory.AtomicAdd, 2)},
		{Op: 0x63, Name: "flat_atomic_sub_x2", Form: &flatAtomic2, Do: bind.FlatAtomic(memory.AtomicSub, 2)},
		{Op: 0x64, Name: "flat_atomic_smin_x2", Form: &flatAtomic2, Do: bind.FlatAtomic(memory.AtomicSmin64, 2)},
		{Op: 0x65, Name: "flat_atomic_umin_x2", Form: &flatAtomic2, Do: bind.FlatAtomic(memory.AtomicUmin, 2)},
		{Op: 0x66, Name: "flat_atomic_smax_x2", Form: &flatAtomic2, Do: bind.FlatAtomic(memory.AtomicSmax64, 2)},
		{Op: 0x67, Name: "flat_atomic_umax_x2", Form: &flatAtomic2, Do: bind.FlatAtomic(memory.AtomicUmax, 2)},
		{Op: 0x68, Name: "flat_atomic_and_x2", Form: &flatAtomic2, Do: bind.FlatAtomic(memory.AtomicAnd, 2)},
		{Op: 0x69, Name: "flat_atomic_or_x2", Form: &flatAtomic2, Do: bind.FlatAtomic(memory.AtomicOr, 2)},
		{Op: 0x6a, Name: "flat_atomic_xor_x2", Form: &flatAtomic2, Do: bind.FlatAtomic(memory.AtomicXor, 2)},
		{Op: 0x6b, Name: "flat_atomic_inc_x2", Form: &flatAtomic2, Do: bind.FlatAtomic(memory.AtomicInc, 2)},
		{Op: 0x6c, Name: "flat_atomic_dec_x2", Form: &flatAtomic2, Do: bind.FlatAtomic(memory.AtomicDec, 2)},
	}
})
