package rows

import (
	"slices"
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
)

// accesses11 are the loads and stores of GFX11 that all kinds of memory have, named without the kind.
var accesses11 = []encoding.Row{
	{Op: 0x10, Name: "load_u8", Like: "load_ubyte"},
	{Op: 0x11, Name: "load_i8", Like: "load_sbyte"},
	{Op: 0x12, Name: "load_u16", Like: "load_ushort"},
	{Op: 0x13, Name: "load_i16", Like: "load_sshort"},
	{Op: 0x14, Name: "load_b32", Like: "load_dword"},
	{Op: 0x15, Name: "load_b64", Like: "load_dwordx2"},
	{Op: 0x16, Name: "load_b96", Like: "load_dwordx3"},
	{Op: 0x17, Name: "load_b128", Like: "load_dwordx4"},
	{Op: 0x18, Name: "store_b8", Like: "store_byte"},
	{Op: 0x19, Name: "store_b16", Like: "store_short"},
	{Op: 0x1a, Name: "store_b32", Like: "store_dword"},
	{Op: 0x1b, Name: "store_b64", Like: "store_dwordx2"},
	{Op: 0x1c, Name: "store_b96", Like: "store_dwordx3"},
	{Op: 0x1d, Name: "store_b128", Like: "store_dwordx4"},
	{Op: 0x1e, Name: "load_d16_u8", Like: "load_ubyte_d16"},
	{Op: 0x1f, Name: "load_d16_i8", Like: "load_sbyte_d16"},
	{Op: 0x20, Name: "load_d16_b16", Like: "load_short_d16"},
	{Op: 0x21, Name: "load_d16_hi_u8", Like: "load_ubyte_d16_hi"},
	{Op: 0x22, Name: "load_d16_hi_i8", Like: "load_sbyte_d16_hi"},
	{Op: 0x23, Name: "load_d16_hi_b16", Like: "load_short_d16_hi"},
	{Op: 0x24, Name: "store_d16_hi_b8", Like: "store_byte_d16_hi"},
	{Op: 0x25, Name: "store_d16_hi_b16", Like: "store_short_d16_hi"},
}

// atomics11 are the atomics that all but private memory has.
var atomics11 = []encoding.Row{
	{Op: 0x33, Name: "atomic_swap_b32", Like: "atomic_swap"},
	{Op: 0x34, Name: "atomic_cmpswap_b32", Like: "atomic_cmpswap"},
	{Op: 0x35, Name: "atomic_add_u32", Like: "atomic_add"},
	{Op: 0x36, Name: "atomic_sub_u32", Like: "atomic_sub"},
	{Op: 0x38, Name: "atomic_min_i32", Like: "atomic_smin"},
	{Op: 0x39, Name: "atomic_min_u32", Like: "atomic_umin"},
	{Op: 0x3a, Name: "atomic_max_i32", Like: "atomic_smax"},
	{Op: 0x3b, Name: "atomic_max_u32", Like: "atomic_umax"},
	{Op: 0x3c, Name: "atomic_and_b32", Like: "atomic_and"},
	{Op: 0x3d, Name: "atomic_or_b32", Like: "atomic_or"},
	{Op: 0x3e, Name: "atomic_xor_b32", Like: "atomic_xor"},
	{Op: 0x3f, Name: "atomic_inc_u32", Like: "atomic_inc"},
	{Op: 0x40, Name: "atomic_dec_u32", Like: "atomic_dec"},
	{Op: 0x41, Name: "atomic_swap_b64", Like: "atomic_swap_x2"},
	{Op: 0x42, Name: "atomic_cmpswap_b64", Like: "atomic_cmpswap_x2"},
	{Op: 0x43, Name: "atomic_add_u64", Like: "atomic_add_x2"},
	{Op: 0x44, Name: "atomic_sub_u64", Like: "atomic_sub_x2"},
	{Op: 0x45, Name: "atomic_min_i64", Like: "atomic_smin_x2"},
	{Op: 0x46, Name: "atomic_min_u64", Like: "atomic_umin_x2"},
	{Op: 0x47, Name: "atomic_max_i64", Like: "atomic_smax_x2"},
	{Op: 0x48, Name: "atomic_max_u64", Like: "atomic_umax_x2"},
	{Op: 0x49, Name: "atomic_and_b64", Like: "atomic_and_x2"},
	{Op: 0x4a, Name: "atomic_or_b64", Like: "atomic_or_x2"},
	{Op: 0x4b, Name: "atomic_xor_b64", Like: "atomic_xor_x2"},
	{Op: 0x4c, Name: "atomic_inc_u64", Like: "atomic_inc_x2"},
	{Op: 0x4d, Name: "atomic_dec_u64", Like: "atomic_dec_x2"},
}

// formats11 are formats10, and the same for halves.
var formats11 = slices.Concat(formats10, []encoding.Row{
	{Op: 0x08, Name: "load_d16_format_x", Like: "load_format_d16_x"},
	{Op: 0x09, Name: "load_d16_format_xy", Like: "load_format_d16_xy"},
	{Op: 0x0a, Name: "load_d16_format_xyz", Like: "load_format_d16_xyz"},
	{Op: 0x0b, Name: "load_d16_format_xyzw", Like: "load_format_d16_xyzw"},
	{Op: 0x0c, Name: "store_d16_format_x", Like: "store_format_d16_x"},
	{Op: 0x0d, Name: "store_d16_format_xy", Like: "store_format_d16_xy"},
	{Op: 0x0e, Name: "store_d16_format_xyz", Like: "store_format_d16_xyz"},
	{Op: 0x0f, Name: "store_d16_format_xyzw", Like: "store_format_d16_xyzw"},
})

// rows11Flat are the instructions of GFX11 on flat addresses.
var rows11Flat = sync.OnceValue(func() []encoding.Row {
	return shared(ofKind("flat", accesses11, atomics11, []encoding.Row{
		{Op: 0x50, Name: "atomic_cmpswap_f32", Form: &flatAtomicCmp1, Do: bind.FlatAtomic(memory.AtomicCmpswapF32, 1)},
		{Op: 0x51, Name: "atomic_min_f32", Form: &flatAtomic1, Do: bind.FlatAtomic(memory.AtomicMinF32, 1)},
		{Op: 0x52, Name: "atomic_max_f32", Form: &flatAtomic1, Do: bind.FlatAtomic(memory.AtomicMaxF32, 1)},
		{Op: 0x56, Name: "atomic_add_f32", Form: &flatAtomic1, Do: bind.FlatAtomic(memory.AtomicAddF32, 1), Fidelity: &added},
	}))
})

// rows11Global are those on global memory.
var rows11Global = sync.OnceValue(func() []encoding.Row {
	return shared(ofKind("global", accesses11, atomics11, []encoding.Row{
		{Op: 0x28, Name: "load_addtid_b32", Form: &globalLoadAddtid, Do: bind.GlobalAddtidLoad},
		{Op: 0x29, Name: "store_addtid_b32", Form: &globalStoreAddtid, Do: bind.GlobalAddtidStore},
		{Op: 0x37, Name: "atomic_csub_u32", Form: &globalAtomic1, Do: bind.GlobalAtomic(bind.AtomicCsub, 1)},
		{Op: 0x50, Name: "atomic_cmpswap_f32", Form: &globalAtomicCmp1, Do: bind.GlobalAtomic(memory.AtomicCmpswapF32, 1)},
		{Op: 0x51, Name: "atomic_min_f32", Form: &globalAtomic1, Do: bind.GlobalAtomic(memory.AtomicMinF32, 1)},
		{Op: 0x52, Name: "atomic_max_f32", Form: &globalAtomic1, Do: bind.GlobalAtomic(memory.AtomicMaxF32, 1)},
		{Op: 0x56, Name: "atomic_add_f32", Form: &globalAtomic1, Do: bind.GlobalAtomic(memory.AtomicAddF32, 1), Fidelity: &added},
	}))
})

// rows11Scratch are those on private memory.
var rows11Scratch = sync.OnceValue(func() []encoding.Row {
	return shared(ofKind("scratch", accesses11))
})

// rows11MUBUF are those through buffer resources.
var rows11MUBUF = sync.OnceValue(func() []encoding.Row {
	return shared(ofKind("buffer", accesses11, atomics11, formats11, []encoding.Row{
		{Op: 0x26, Name: "load_d16_hi_format_x", Like: "load_format_d16_hi_x"},
		{Op: 0x27, Name: "store_d16_hi_format_x", Like: "store_format_d16_hi_x"},
		{Op: 0x2b, Name: "gl0_inv", Form: &mubufNone, Do: bind.Nothing},
		{Op: 0x2c, Name: "gl1_inv", Form: &mubufNone, Do: bind.Nothing},
		{Op: 0x37, Name: "atomic_csub_u32", Form: &mubufAtomic1, Do: bind.BufferAtomic(bind.AtomicCsub, 1)},
		{Op: 0x50, Name: "atomic_cmpswap_f32", Form: &mubufAtomicCmp1, Do: bind.BufferAtomic(memory.AtomicCmpswapF32, 1)},
		{Op: 0x51, Name: "atomic_min_f32", Form: &mubufAtomic1, Do: bind.BufferAtomic(memory.AtomicMinF32, 1)},
		{Op: 0x52, Name: "atomic_max_f32", Form: &mubufAtomic1, Do: bind.BufferAtomic(memory.AtomicMaxF32, 1)},
		{Op: 0x56, Name: "atomic_add_f32", Form: &mubufAtomic1, Do: bind.BufferAtomic(memory.AtomicAddF32, 1), Fidelity: &added},
	}))
})

// rows11MTBUF are those with a format of their own.
var rows11MTBUF = sync.OnceValue(func() []encoding.Row {
	return shared(ofKind("tbuffer", formats11))
})

// ofKind names instructions of a kind of memory, in the order of their numbers.
func ofKind(kind string, lists ...[]encoding.Row) []encoding.Row {
	rows := slices.Concat(lists...)
	for n := range rows {
		row := &rows[n]
		if row.Name = kind + "_" + row.Name; row.Like != "" {
			row.Like = kind + "_" + row.Like
		}
	}
	slices.SortFunc(rows, func(a, b encoding.Row) int { return int(a.Op) - int(b.Op) })
	return rows
}
