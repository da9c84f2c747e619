package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// rowsScratch are the memory instructions on private addresses.
var rowsScratch = sync.OnceValue(func() []encoding.Row {
	return []encoding.Row{
		{Op: 0x10, Name: "scratch_load_ubyte", Form: &scratchLoad1L, Do: bind.ScratchLoad(bind.Ubyte)},
		{Op: 0x11, Name: "scratch_load_sbyte", Form: &scratchLoad1L, Do: bind.ScratchLoad(bind.Sbyte)},
		{Op: 0x12, Name: "scratch_load_ushort", Form: &scratchLoad1L, Do: bind.ScratchLoad(bind.Ushort)},
		{Op: 0x13, Name: "scratch_load_sshort", Form: &scratchLoad1L, Do: bind.ScratchLoad(bind.Sshort)},
		{Op: 0x14, Name: "scratch_load_dword", Form: &scratchLoad1L, Do: bind.ScratchLoad(bind.Dword)},
		{Op: 0x15, Name: "scratch_load_dwordx2", Form: &scratchLoad2, Do: bind.ScratchLoad(bind.Dwordx2)},
		{Op: 0x16, Name: "scratch_load_dwordx3", Form: &scratchLoad3, Do: bind.ScratchLoad(bind.Dwordx3)},
		{Op: 0x17, Name: "scratch_load_dwordx4", Form: &scratchLoad4, Do: bind.ScratchLoad(bind.Dwordx4)},
		{Op: 0x18, Name: "scratch_store_byte", Form: &scratchStore1, Do: bind.ScratchStore(bind.Ubyte)},
		{Op: 0x19, Name: "scratch_store_byte_d16_hi", Form: &scratchStore1, Do: bind.ScratchStore(bind.UbyteHigh)},
		{Op: 0x1a, Name: "scratch_store_short", Form: &scratchStore1, Do: bind.ScratchStore(bind.Ushort)},
		{Op: 0x1b, Name: "scratch_store_short_d16_hi", Form: &scratchStore1, Do: bind.ScratchStore(bind.ShortHigh)},
		{Op: 0x1c, Name: "scratch_store_dword", Form: &scratchStore1, Do: bind.ScratchStore(bind.Dword)},
		{Op: 0x1d, Name: "scratch_store_dwordx2", Form: &scratchStore2, Do: bind.ScratchStore(bind.Dwordx2)},
		{Op: 0x1e, Name: "scratch_store_dwordx3", Form: &scratchStore3, Do: bind.ScratchStore(bind.Dwordx3)},
		{Op: 0x1f, Name: "scratch_store_dwordx4", Form: &scratchStore4, Do: bind.ScratchStore(bind.Dwordx4)},
		{Op: 0x20, Name: "scratch_load_ubyte_d16", Form: &scratchLoad1, Do: bind.ScratchLoad(bind.UbyteD16)},
		{Op: 0x21, Name: "scratch_load_ubyte_d16_hi", Form: &scratchLoad1, Do: bind.ScratchLoad(bind.UbyteHigh)},
		{Op: 0x22, Name: "scratch_load_sbyte_d16", Form: &scratchLoad1, Do: bind.ScratchLoad(bind.SbyteD16)},
		{Op: 0x23, Name: "scratch_load_sbyte_d16_hi", Form: &scratchLoad1, Do: bind.ScratchLoad(bind.SbyteHigh)},
		{Op: 0x24, Name: "scratch_load_short_d16", Form: &scratchLoad1, Do: bind.ScratchLoad(bind.ShortD16)},
		{Op: 0x25, Name: "scratch_load_short_d16_hi", Form: &scratchLoad1, Do: bind.ScratchLoad(bind.ShortHigh)},
		{Op: 0x26, Name: "scratch_load_lds_ubyte", Form: &scratchToLDS, Do: bind.ScratchToLDSLoad(bind.Ubyte), Chips: encoding.FromGfx942},
		{Op: 0x27, Name: "scratch_load_lds_sbyte", Form: &scratchToLDS, Do: bind.ScratchToLDSLoad(bind.Sbyte), Chips: encoding.FromGfx942},
		{Op: 0x28, Name: "scratch_load_lds_ushort", Form: &scratchToLDS, Do: bind.ScratchToLDSLoad(bind.Ushort), Chips: encoding.FromGfx942},
		{Op: 0x29, Name: "scratch_load_lds_sshort", Form: &scratchToLDS, Do: bind.ScratchToLDSLoad(bind.Sshort), Chips: encoding.FromGfx942},
		{Op: 0x2a, Name: "scratch_load_lds_dword", Form: &scratchToLDS, Do: bind.ScratchToLDSLoad(bind.Dword), Chips: encoding.FromGfx942},
	}
})
