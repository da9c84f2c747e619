package gcn

import "sync"

// rowsScratch are the memory instructions on private addresses.
var rowsScratch = sync.OnceValue(func() []Row {
	return []Row{
		{Op: 0x10, Name: "scratch_load_ubyte", Form: &scratchLoad1L, Do: scratchLoad(ubyte)},
		{Op: 0x11, Name: "scratch_load_sbyte", Form: &scratchLoad1L, Do: scratchLoad(sbyte)},
		{Op: 0x12, Name: "scratch_load_ushort", Form: &scratchLoad1L, Do: scratchLoad(ushort)},
		{Op: 0x13, Name: "scratch_load_sshort", Form: &scratchLoad1L, Do: scratchLoad(sshort)},
		{Op: 0x14, Name: "scratch_load_dword", Form: &scratchLoad1L, Do: scratchLoad(dword)},
		{Op: 0x15, Name: "scratch_load_dwordx2", Form: &scratchLoad2, Do: scratchLoad(dwordx2)},
		{Op: 0x16, Name: "scratch_load_dwordx3", Form: &scratchLoad3, Do: scratchLoad(dwordx3)},
		{Op: 0x17, Name: "scratch_load_dwordx4", Form: &scratchLoad4, Do: scratchLoad(dwordx4)},
		{Op: 0x18, Name: "scratch_store_byte", Form: &scratchStore1, Do: scratchStore(ubyte)},
		{Op: 0x19, Name: "scratch_store_byte_d16_hi", Form: &scratchStore1, Do: scratchStore(ubyteHigh)},
		{Op: 0x1a, Name: "scratch_store_short", Form: &scratchStore1, Do: scratchStore(ushort)},
		{Op: 0x1b, Name: "scratch_store_short_d16_hi", Form: &scratchStore1, Do: scratchStore(shortHigh)},
		{Op: 0x1c, Name: "scratch_store_dword", Form: &scratchStore1, Do: scratchStore(dword)},
		{Op: 0x1d, Name: "scratch_store_dwordx2", Form: &scratchStore2, Do: scratchStore(dwordx2)},
		{Op: 0x1e, Name: "scratch_store_dwordx3", Form: &scratchStore3, Do: scratchStore(dwordx3)},
		{Op: 0x1f, Name: "scratch_store_dwordx4", Form: &scratchStore4, Do: scratchStore(dwordx4)},
		{Op: 0x20, Name: "scratch_load_ubyte_d16", Form: &scratchLoad1, Do: scratchLoad(ubyteD16)},
		{Op: 0x21, Name: "scratch_load_ubyte_d16_hi", Form: &scratchLoad1, Do: scratchLoad(ubyteHigh)},
		{Op: 0x22, Name: "scratch_load_sbyte_d16", Form: &scratchLoad1, Do: scratchLoad(sbyteD16)},
		{Op: 0x23, Name: "scratch_load_sbyte_d16_hi", Form: &scratchLoad1, Do: scratchLoad(sbyteHigh)},
		{Op: 0x24, Name: "scratch_load_short_d16", Form: &scratchLoad1, Do: scratchLoad(shortD16)},
		{Op: 0x25, Name: "scratch_load_short_d16_hi", Form: &scratchLoad1, Do: scratchLoad(shortHigh)},
		{Op: 0x26, Name: "scratch_load_lds_ubyte", Form: &scratchToLDS, Do: scratchToLDSLoad(ubyte), Chips: FromGfx942},
		{Op: 0x27, Name: "scratch_load_lds_sbyte", Form: &scratchToLDS, Do: scratchToLDSLoad(sbyte), Chips: FromGfx942},
		{Op: 0x28, Name: "scratch_load_lds_ushort", Form: &scratchToLDS, Do: scratchToLDSLoad(ushort), Chips: FromGfx942},
		{Op: 0x29, Name: "scratch_load_lds_sshort", Form: &scratchToLDS, Do: scratchToLDSLoad(sshort), Chips: FromGfx942},
		{Op: 0x2a, Name: "scratch_load_lds_dword", Form: &scratchToLDS, Do: scratchToLDSLoad(dword), Chips: FromGfx942},
	}
})
