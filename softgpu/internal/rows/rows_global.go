package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
)

// rowsGlobal are the memory instructions on global addresses.
var rowsGlobal = sync.OnceValue(func() []encoding.Row {
	return []encoding.Row{
		{Op: 0x10, Name: "global_load_ubyte", Form: &globalLoad1L, Do: bind.GlobalLoad(bind.Ubyte)},
		{Op: 0x11, Name: "global_load_sbyte", Form: &globalLoad1L, Do: bind.GlobalLoad(bind.Sbyte)},
		{Op: 0x12, Name: "global_load_ushort", Form: &globalLoad1L, Do: bind.GlobalLoad(bind.Ushort)},
		{Op: 0x13, Name: "global_load_sshort", Form: &globalLoad1L, Do: bind.GlobalLoad(bind.Sshort)},
		{Op: 0x14, Name: "global_load_dword", Form: &globalLoad1L, Do: bind.GlobalLoad(bind.Dword)},
		{Op: 0x15, Name: "global_load_dwordx2", Form: &globalLoad2, Do: bind.GlobalLoad(bind.Dwordx2)},
		{Op: 0x16, Name: "global_load_dwordx3", Form: &globalLoad3, Do: bind.GlobalLoad(bind.Dwordx3)},
		{Op: 0x17, Name: "global_load_dwordx4", Form: &globalLoad4, Do: bind.GlobalLoad(bind.Dwordx4)},
		{Op: 0x18, Name: "global_store_byte", Form: &globalStore1, Do: bind.GlobalStore(bind.Ubyte)},
		{Op: 0x19, Name: "global_store_byte_d16_hi", Form: &globalStore1, Do: bind.GlobalStore(bind.UbyteHigh)},
		{Op: 0x1a, Name: "global_store_short", Form: &globalStore1, Do: bind.GlobalStore(bind.Ushort)},
		{Op: 0x1b, Name: "global_store_short_d16_hi", Form: &globalStore1, Do: bind.GlobalStore(bind.ShortHigh)},
		{Op: 0x1c, Name: "global_store_dword", Form: &globalStore1, Do: bind.GlobalStore(bind.Dword)},
		{Op: 0x1d, Name: "global_store_dwordx2", Form: &globalStore2, Do: bind.GlobalStore(bind.Dwordx2)},
		{Op: 0x1e, Name: "global_store_dwordx3", Form: &globalStore3, Do: bind.GlobalStore(bind.Dwordx3)},
		{Op: 0x1f, Name: "global_store_dwordx4", Form: &globalStore4, Do: bind.GlobalStore(bind.Dwordx4)},
		{Op: 0x20, Name: "global_load_ubyte_d16", Form: &globalLoad1, Do: bind.GlobalLoad(bind.UbyteD16)},
		{Op: 0x21, Name: "global_load_ubyte_d16_hi", Form: &globalLoad1, Do: bind.GlobalLoad(bind.UbyteHigh)},
		{Op: 0x22, Name: "global_load_sbyte_d16", Form: &globalLoad1, Do: bind.GlobalLoad(bind.SbyteD16)},
		{Op: 0x23, Name: "global_load_sbyte_d16_hi", Form: &globalLoad1, Do: bind.GlobalLoad(bind.SbyteHigh)},
		{Op: 0x24, Name: "global_load_short_d16", Form: &globalLoad1, Do: bind.GlobalLoad(bind.ShortD16)},
		{Op: 0x25, Name: "global_load_short_d16_hi", Form: &globalLoad1, Do: bind.GlobalLoad(bind.ShortHigh)},
		{Op: 0x26, Name: "global_load_lds_ubyte", Form: &globalToLDS, Do: bind.GlobalToLDSLoad(bind.Ubyte), Chips: encoding.FromGfx942},
		{Op: 0x27, Name: "global_load_lds_sbyte", Form: &globalToLDS, Do: bind.GlobalToLDSLoad(bind.Sbyte), Chips: encoding.FromGfx942},
		{Op: 0x28, Name: "global_load_lds_ushort", Form: &globalToLDS, Do: bind.GlobalToLDSLoad(bind.Ushort), Chips: encoding.FromGfx942},
		{Op: 0x29, Name: "global_load_lds_sshort", Form: &globalToLDS, Do: bind.GlobalToLDSLoad(bind.Sshort), Chips: encoding.FromGfx942},
		{Op: 0x2a, Name: "global_load_lds_dword", Form: &globalToLDS, Do: bind.GlobalToLDSLoad(bind.Dword), Chips: encoding.FromGfx942},
		{Op: 0x7d, Name: "global_load_lds_dwordx4", Form: &globalToLDS, Do: bind.GlobalToLDSLoad(bind.Dwordx4), Chips: encoding.OnGfx950},
		{Op: 0x7e, Name: "global_load_lds_dwordx3", Form: &globalToLDS, Do: bind.GlobalToLDSLoad(bind.Dwordx3), Chips: encoding.OnGfx950},
		{Op: 0x40, Name: "global_atomic_swap", Form: &globalAtomic1, Do: bind.GlobalAtomic(memory.AtomicSwap, 1)},
		{Op: 0x41, Name: "global_atomic_cmpswap", Form: &globalAtomicCmp1, Do: bind.GlobalAtomic(memory.AtomicCmpswap, 1)},
		{Op: 0x42, Name: "global_atomic_add", Form: &globalAtomic1, Do: bind.GlobalAtomic(memory.AtomicAdd, 1)},
		{Op: 0x43, Name: "global_atomic_sub", Form: &globalAtomic1, Do: bind.GlobalAtomic(memory.AtomicSub, 1)},
		{Op: 0x44, Name: "global_atomic_smin", Form: &globalAtomic1, Do: bind.GlobalAtomic(memory.AtomicSmin32, 1)},
		{Op: 0x45, Name: "global_atomic_umin", Form: &globalAtomic1, Do: bind.GlobalAtomic(memory.AtomicUmin, 1)},
		{Op: 0x46, Name: "global_atomic_smax", Form: &globalAtomic1, Do: bind.GlobalAtomic(memory.AtomicSmax32, 1)},
		{Op: 0x47, Name: "global_atomic_umax", Form: &globalAtomic1, Do: bind.GlobalAtomic(memory.AtomicUmax, 1)},
		{Op: 0x48, Name: "global_atomic_and", Form: &globalAtomic1, Do: bind.GlobalAtomic(memory.AtomicAnd, 1)},
		{Op: 0x49, Name: "global_atomic_or", Form: &globalAtomic1, Do: bind.GlobalAtomic(memory.AtomicOr, 1)},
		{Op: 0x4a, Name: "global_atomic_xor", Form: &globalAtomic1, Do: bind.GlobalAtomic(memory.AtomicXor, 1)},
		{Op: 0x4b, Name: "global_atomic_inc", Form: &globalAtomic1, Do: bind.GlobalAtomic(memory.AtomicInc, 1)},
		{Op: 0x4c, Name: "global_atomic_dec", Form: &globalAtomic1, Do: bind.GlobalAtomic(memory.AtomicDec, 1)},
		{Op: 0x4d, Name: "global_atomic_add_f32", Form: &globalAtomicF1, Do: bind.GlobalAtomic(memory.AtomicAddF32, 1), Chips: encoding.FromGfx908, Fidelity: &added},
		{Op: 0x4e, Name: "global_atomic_pk_add_f16", Form: &globalAtomicF1, Do: bind.GlobalAtomic(memory.AtomicPkAddF16, 1), Chips: encoding.FromGfx908, Fidelity: &added},
		{Op: 0x4f, Name: "global_atomic_add_f64", Form: &globalAtomicF2, Do: bind.GlobalAtomic(memory.AtomicAddF64, 2), Chips: encoding.FromGfx90a, Fidelity: &added},
		{Op: 0x50, Name: "global_atomic_min_f64", Form: &globalAtomicF2, Do: bind.GlobalAtomic(memory.AtomicMinF64, 2), Chips: encoding.FromGfx90a},
		{Op: 0x51, Name: "global_atomic_max_f64", Form: &globalAtomicF2, Do: bind.GlobalAtomic(memory.AtomicMaxF64, 2), Chips: encoding.FromGfx90a},
		{Op: 0x52, Name: "global_atomic_pk_add_bf16", Form: &globalAtomicF1, Do: bind.GlobalAtomic(memory.AtomicPkAddBF16, 1), Chips: encoding.FromGfx942, Fidelity: &added},
		{Op: 0x60, Name: "global_atomic_swap_x2", Form: &globalAtomic2, Do: bind.GlobalAtomic(memory.AtomicSwap, 2)},
		{Op: 0x61, Name: "global_atomic_cmpswap_x2", Form: &globalAtomicCmp2, Do: bind.GlobalAtomic(memory.AtomicCmpswap, 2)},
		{Op: 0x62, Name: "global_atomic_add_x2", Form: &globalAtomic2, Do: bind.GlobalAtomic(memory.AtomicAdd, 2)},
		{Op: 0x63, Name: "global_atomic_sub_x2", Form: &globalAtomic2, Do: bind.GlobalAtomic(memory.AtomicSub, 2)},
		{Op: 0x64, Name: "global_atomic_smin_x2", Form: &globalAtomic2, Do: bind.GlobalAtomic(memory.AtomicSmin64, 2)},
		{Op: 0x65, Name: "global_atomic_umin_x2", Form: &globalAtomic2, Do: bind.GlobalAtomic(memory.AtomicUmin, 2)},
		{Op: 0x66, Name: "global_atomic_smax_x2", Form: &globalAtomic2, Do: bind.GlobalAtomic(memory.AtomicSmax64, 2)},
		{Op: 0x67, Name: "global_atomic_umax_x2", Form: &globalAtomic2, Do: bind.GlobalAtomic(memory.AtomicUmax, 2)},
		{Op: 0x68, Name: "global_atomic_and_x2", Form: &globalAtomic2, Do: bind.GlobalAtomic(memory.AtomicAnd, 2)},
		{Op: 0x69, Name: "global_atomic_or_x2", Form: &globalAtomic2, Do: bind.GlobalAtomic(memory.AtomicOr, 2)},
		{Op: 0x6a, Name: "global_atomic_xor_x2", Form: &globalAtomic2, Do: bind.GlobalAtomic(memory.AtomicXor, 2)},
		{Op: 0x6b, Name: "global_atomic_inc_x2", Form: &globalAtomic2, Do: bind.GlobalAtomic(memory.AtomicInc, 2)},
		{Op: 0x6c, Name: "global_atomic_dec_x2", Form: &globalAtomic2, Do: bind.GlobalAtomic(memory.AtomicDec, 2)},
	}
})
