package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
)

// accesses10 are the loads and stores of GFX10 that all kinds of memory have, named without the kind.
var accesses10 = []encoding.Row{
	{Op: 0x08, Name: "load_ubyte"},
	{Op: 0x09, Name: "load_sbyte"},
	{Op: 0x0a, Name: "load_ushort"},
	{Op: 0x0b, Name: "load_sshort"},
	{Op: 0x0c, Name: "load_dword"},
	{Op: 0x0d, Name: "load_dwordx2"},
	{Op: 0x0e, Name: "load_dwordx4"},
	{Op: 0x0f, Name: "load_dwordx3"},
	{Op: 0x18, Name: "store_byte"},
	{Op: 0x19, Name: "store_byte_d16_hi"},
	{Op: 0x1a, Name: "store_short"},
	{Op: 0x1b, Name: "store_short_d16_hi"},
	{Op: 0x1c, Name: "store_dword"},
	{Op: 0x1d, Name: "store_dwordx2"},
	{Op: 0x1e, Name: "store_dwordx4"},
	{Op: 0x1f, Name: "store_dwordx3"},
	{Op: 0x20, Name: "load_ubyte_d16"},
	{Op: 0x21, Name: "load_ubyte_d16_hi"},
	{Op: 0x22, Name: "load_sbyte_d16"},
	{Op: 0x23, Name: "load_sbyte_d16_hi"},
	{Op: 0x24, Name: "load_short_d16"},
	{Op: 0x25, Name: "load_short_d16_hi"},
}

// atomics10 are the atomics that all but private memory has.
var atomics10 = []encoding.Row{
	{Op: 0x30, Name: "atomic_swap"},
	{Op: 0x31, Name: "atomic_cmpswap"},
	{Op: 0x32, Name: "atomic_add"},
	{Op: 0x33, Name: "atomic_sub"},
	{Op: 0x35, Name: "atomic_smin"},
	{Op: 0x36, Name: "atomic_umin"},
	{Op: 0x37, Name: "atomic_smax"},
	{Op: 0x38, Name: "atomic_umax"},
	{Op: 0x39, Name: "atomic_and"},
	{Op: 0x3a, Name: "atomic_or"},
	{Op: 0x3b, Name: "atomic_xor"},
	{Op: 0x3c, Name: "atomic_inc"},
	{Op: 0x3d, Name: "atomic_dec"},
	{Op: 0x3e, Name: "atomic_fcmpswap", Like: "atomic_cmpswap_f32"},
	{Op: 0x3f, Name: "atomic_fmin", Like: "atomic_min_f32"},
	{Op: 0x40, Name: "atomic_fmax", Like: "atomic_max_f32"},
	{Op: 0x50, Name: "atomic_swap_x2"},
	{Op: 0x51, Name: "atomic_cmpswap_x2"},
	{Op: 0x52, Name: "atomic_add_x2"},
	{Op: 0x53, Name: "atomic_sub_x2"},
	{Op: 0x55, Name: "atomic_smin_x2"},
	{Op: 0x56, Name: "atomic_umin_x2"},
	{Op: 0x57, Name: "atomic_smax_x2"},
	{Op: 0x58, Name: "atomic_umax_x2"},
	{Op: 0x59, Name: "atomic_and_x2"},
	{Op: 0x5a, Name: "atomic_or_x2"},
	{Op: 0x5b, Name: "atomic_xor_x2"},
	{Op: 0x5c, Name: "atomic_inc_x2"},
	{Op: 0x5d, Name: "atomic_dec_x2"},
}

// formats10 are the loads and stores that convert, of buffers.
var formats10 = []encoding.Row{
	{Op: 0x00, Name: "load_format_x"},
	{Op: 0x01, Name: "load_format_xy"},
	{Op: 0x02, Name: "load_format_xyz"},
	{Op: 0x03, Name: "load_format_xyzw"},
	{Op: 0x04, Name: "store_format_x"},
	{Op: 0x05, Name: "store_format_xy"},
	{Op: 0x06, Name: "store_format_xyz"},
	{Op: 0x07, Name: "store_format_xyzw"},
}

// rows10Flat are the instructions of GFX10 on flat addresses.
var rows10Flat = sync.OnceValue(func() []encoding.Row {
	return shared10(ofKind("flat", accesses10, atomics10, []encoding.Row{
		{Op: 0x5e, Name: "atomic_fcmpswap_x2", Form: &flatAtomicCmp2, Do: bind.FlatAtomic(memory.AtomicCmpswapF64, 2)},
		{Op: 0x5f, Name: "atomic_fmin_x2", Form: &flatAtomic2, Do: bind.FlatAtomic(memory.AtomicMinF64, 2)},
		{Op: 0x60, Name: "atomic_fmax_x2", Form: &flatAtomic2, Do: bind.FlatAtomic(memory.AtomicMaxF64, 2)},
	}))
})

// rows10Global are those on global memory.
var rows10Global = sync.OnceValue(func() []encoding.Row {
	return shared10(ofKind("global", accesses10, atomics10, []encoding.Row{
		{Op: 0x16, Name: "load_dword_addtid", Like: "load_addtid_b32"},
		{Op: 0x17, Name: "store_dword_addtid", Like: "store_addtid_b32"},
		{Op: 0x34, Name: "atomic_csub", Like: "atomic_csub_u32"},
		{Op: 0x5e, Name: "atomic_fcmpswap_x2", Form: &globalAtomicCmp2, Do: bind.GlobalAtomic(memory.AtomicCmpswapF64, 2)},
		{Op: 0x5f, Name: "atomic_fmin_x2", Form: &globalAtomic2, Do: bind.GlobalAtomic(memory.AtomicMinF64, 2)},
		{Op: 0x60, Name: "atomic_fmax_x2", Form: &globalAtomic2, Do: bind.GlobalAtomic(memory.AtomicMaxF64, 2)},
	}))
})

// rows10Scratch are those on private memory.
var rows10Scratch = sync.OnceValue(func() []encoding.Row {
	return shared10(ofKind("scratch", accesses10))
})

// rows10MUBUF are those through buffer resources.
var rows10MUBUF = sync.OnceValue(func() []encoding.Row {
	return shared10(ofKind("buffer", accesses10, atomics10, formats10, []encoding.Row{
		{Op: 0x26, Name: "load_format_d16_hi_x"},
		{Op: 0x27, Name: "store_format_d16_hi_x"},
		{Op: 0x34, Name: "atomic_csub", Like: "atomic_csub_u32"},
		{Op: 0x5e, Name: "atomic_fcmpswap_x2", Form: &mubufAtomicCmp2, Do: bind.BufferAtomic(memory.AtomicCmpswapF64, 2)},
		{Op: 0x5f, Name: "atomic_fmin_x2", Form: &mubufAtomic2, Do: bind.BufferAtomic(memory.AtomicMinF64, 2)},
		{Op: 0x60, Name: "atomic_fmax_x2", Form: &mubufAtomic2, Do: bind.BufferAtomic(memory.AtomicMaxF64, 2)},
		{Op: 0x71, Name: "gl0_inv"},
		{Op: 0x72, Name: "gl1_inv"},
		{Op: 0x80, Name: "load_format_d16_x"},
		{Op: 0x81, Name: "load_format_d16_xy"},
		{Op: 0x82, Name: "load_format_d16_xyz"},
		{Op: 0x83, Name: "load_format_d16_xyzw"},
		{Op: 0x84, Name: "store_format_d16_x"},
		{Op: 0x85, Name: "store_format_d16_xy"},
		{Op: 0x86, Name: "store_format_d16_xyz"},
		{Op: 0x87, Name: "store_format_d16_xyzw"},
	}))
})

// rows10MTBUF are those with a format of their own.
var rows10MTBUF = sync.OnceValue(func() []encoding.Row {
	return shared10(ofKind("tbuffer", formats10, []encoding.Row{
		{Op: 0x08, Name: "load_format_d16_x"},
		{Op: 0x09, Name: "load_format_d16_xy"},
		{Op: 0x0a, Name: "load_format_d16_xyz"},
		{Op: 0x0b, Name: "load_format_d16_xyzw"},
		{Op: 0x0c, Name: "store_format_d16_x"},
		{Op: 0x0d, Name: "store_format_d16_xy"},
		{Op: 0x0e, Name: "store_format_d16_xyz"},
		{Op: 0x0f, Name: "store_format_d16_xyzw"},
	}))
})
