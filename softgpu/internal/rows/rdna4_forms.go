package rows

import "github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"

// barrier is the number of one.
var barrier = encoding.Slot{Class: encoding.ScalarOnly, Width: 1, Type: encoding.Bits32, Mods: encoding.NoMods, Place: encoding.AtSsrc0}

// The forms that GFX12 has added.
var (
	sop1Barrier        = encoding.Form{Src: [4]encoding.Slot{barrier}}
	sop11_Barrier      = encoding.Form{Dst: sgprs(1, encoding.AtSdst), Src: [4]encoding.Slot{barrier}}
	smemLoad3_2        = encoding.Form{Dst: sgprs(3, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(2, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemLoad3_4        = encoding.Form{Dst: sgprs(3, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(4, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemPrefetch       = encoding.Form{Src: [4]encoding.Slot{sgprs(2, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset | encoding.Prefetch}
	smemPrefetchBuffer = encoding.Form{Src: [4]encoding.Slot{sgprs(4, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset | encoding.Prefetch}
	smemPrefetchPC     = encoding.Form{Src: [4]encoding.Slot{sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset | encoding.Prefetch}

	vopF32_Byte      = encoding.Form{Dst: vgpr(encoding.Float32), Src: [4]encoding.Slot{src(encoding.Bits32)}, Flags: encoding.HasOpSel | encoding.ByteSel}
	vopPF32_Half     = encoding.Form{Dst: vgpr(encoding.PackedFloat32), Src: [4]encoding.Slot{src(encoding.Float16)}, Flags: encoding.HasOpSel | encoding.NoDPP}
	vopHalf_F32mF32m = encoding.Form{Dst: vgpr(encoding.Bits16), Src: [4]encoding.Slot{srcMods(encoding.Float32), srcMods(encoding.Float32)}, Flags: encoding.HasOpSel}
	vopByte_F32mB32  = encoding.Form{Dst: vgpr(encoding.Bits32), Src: [4]encoding.Slot{srcMods(encoding.Float32), srcIgnored(encoding.Bits32)}, Flags: encoding.HasOpSel | encoding.ByteSel}
	vopScalarF32     = encoding.Form{Dst: sgprs(1, encoding.Implied), Src: [4]encoding.Slot{{Class: encoding.ScalarOnly, Width: 1, Type: encoding.Float32, Mods: encoding.FloatMods, Place: encoding.Implied}}, Flags: encoding.HasClamp | encoding.HasOmod | encoding.NoDPP}
	vopScalarF16     = encoding.Form{Dst: sgprs(1, encoding.Implied), Src: [4]encoding.Slot{{Class: encoding.ScalarOnly, Width: 1, Type: encoding.Float16, Mods: encoding.FloatMods, Place: encoding.Implied}}, Flags: encoding.HasClamp | encoding.HasOmod | encoding.NoDPP}
	vopPermlaneVar   = encoding.Form{Dst: vgpr(encoding.Bits32), Src: [4]encoding.Slot{vgpr(encoding.Bits32), vgpr(encoding.Bits32)}, Flags: encoding.NoDPP | encoding.SwapLanes}
	vop3pF32_Bytes   = encoding.Form{Dst: vgpr(encoding.Float32), Src: [4]encoding.Slot{src(encoding.PackedFloat8), src(encoding.PackedFloat8), src(encoding.Float32)}, Flags: encoding.PackedMods}

	globalCache       = encoding.Form{Flags: encoding.CachePolicy}
	globalLoadSpread2 = encoding.Form{Dst: vgprs(2, encoding.AtVdst), Src: [4]encoding.Slot{vgprs(2, encoding.AtAddr), sgprs(2, encoding.AtSaddr)}, Flags: encoding.Spread}
	globalLoadSpread4 = encoding.Form{Dst: vgprs(4, encoding.AtVdst), Src: [4]encoding.Slot{vgprs(2, encoding.AtAddr), sgprs(2, encoding.AtSaddr)}, Flags: encoding.Spread}
	globalLoadBlock   = encoding.Form{Dst: vgprs(32, encoding.AtVdst), Src: [4]encoding.Slot{vgprs(2, encoding.AtAddr), sgprs(2, encoding.AtSaddr)}}
	globalStoreBlock  = encoding.Form{Src: [4]encoding.Slot{vgprs(2, encoding.AtAddr), vgprs(32, encoding.AtData0), sgprs(2, encoding.AtSaddr)}}
	scratchLoadBlock  = encoding.Form{Dst: vgprs(32, encoding.AtVdst), Src: [4]encoding.Slot{vgprs(1, encoding.AtAddr), sgprs(1, encoding.AtSaddr)}}
	scratchStoreBlock = encoding.Form{Src: [4]encoding.Slot{vgprs(1, encoding.AtAddr), vgprs(32, encoding.AtData0), sgprs(1, encoding.AtSaddr)}}
)
