package rows

import "github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"

// lanesOf is a vector operand of n registers.
func lanesOf(n uint8) encoding.Slot { return vgprs(n, encoding.Implied) }

// convertForm is a conversion of registers to others with a scale, and with random a source of random numbers before.
func convertForm(to, from uint8, random bool) encoding.Form {
	f := encoding.Form{Dst: lanesOf(to), Src: [4]encoding.Slot{lanesOf(from), src(encoding.Float32)}, Flags: encoding.NoDPP}
	if random {
		f.Src[1], f.Src[2] = src(encoding.Bits32), src(encoding.Float32)
	}
	return f
}

// scaledForm is one whose scales are bytes, one of which op_sel chooses.
func scaledForm(to, from uint8) encoding.Form {
	return encoding.Form{Dst: lanesOf(to), Src: [4]encoding.Slot{lanesOf(from), src(encoding.Bits32)}, Flags: encoding.NoDPP | encoding.ScaleSel}
}

var literalF64 = encoding.Slot{Class: encoding.LitK, Width: 2, Type: encoding.Float64, Mods: encoding.NoMods, Place: encoding.Implied}

// laneSource is a scalar source of an instruction on lanes.
var laneSource = encoding.Slot{Class: encoding.ScalarOnly, Width: 1, Type: encoding.Bits32, Mods: encoding.NoMods, Place: encoding.Implied}

// The forms that GFX12.5 has added.
var (
	vopF64_F64KF64E32 = encoding.Form{Dst: vgpr(encoding.Float64), Src: [4]encoding.Slot{src(encoding.Float64), literalF64, vgpr(encoding.Float64)}, Flags: encoding.NoVOP3 | encoding.NoDPP}
	vopF64_F64F64KE32 = encoding.Form{Dst: vgpr(encoding.Float64), Src: [4]encoding.Slot{src(encoding.Float64), vgpr(encoding.Float64), literalF64}, Flags: encoding.NoVOP3 | encoding.NoDPP}
	vopB64_B64B64_C   = encoding.Form{Dst: vgpr(encoding.Bits64), Src: [4]encoding.Slot{src(encoding.Bits64), src(encoding.Bits64)}, Flags: encoding.HasClamp | encoding.NoDPP}
	vopB64_B64B64     = encoding.Form{Dst: vgpr(encoding.Bits64), Src: [4]encoding.Slot{src(encoding.Bits64), src(encoding.Bits64)}, Flags: encoding.NoDPP}

	vopBF16_BF16m_CO = encoding.Form{Dst: vgpr(encoding.BFloat16), Src: [4]encoding.Slot{srcMods(encoding.BFloat16)}}
	vopF32_BF16m     = encoding.Form{Dst: vgpr(encoding.Float32), Src: [4]encoding.Slot{srcMods(encoding.BFloat16)}}
	vopPF16_Half     = encoding.Form{Dst: vgpr(encoding.PackedFloat16), Src: [4]encoding.Slot{src(encoding.Bits16)}, Flags: encoding.HasOpSel | encoding.Bare}
	vopF16_Byte      = encoding.Form{Dst: vgpr(encoding.Float16), Src: [4]encoding.Slot{src(encoding.Bits32)}, Flags: encoding.HasOpSel | encoding.ByteSel}

	vopB32_B32B32B32NoDPP   = encoding.Form{Dst: vgpr(encoding.Bits32), Src: [4]encoding.Slot{src(encoding.Bits32), src(encoding.Bits32), src(encoding.Bits32)}, Flags: encoding.NoDPP}
	vop2_B32B64B64          = encoding.Form{Dst: lanesOf(2), Src: [4]encoding.Slot{src(encoding.Bits32), src(encoding.Bits32), src(encoding.Bits64)}, Flags: encoding.NoDPP}
	vop3_B32B64B64          = encoding.Form{Dst: lanesOf(3), Src: [4]encoding.Slot{src(encoding.Bits32), src(encoding.Bits64), src(encoding.Bits64)}, Flags: encoding.NoDPP}
	vop4_B64B64B64          = encoding.Form{Dst: lanesOf(4), Src: [4]encoding.Slot{src(encoding.Bits64), src(encoding.Bits64), src(encoding.Bits64)}, Flags: encoding.NoDPP}
	vopPermlaneBy           = encoding.Form{Dst: vgpr(encoding.Bits32), Src: [4]encoding.Slot{vgpr(encoding.Bits32), laneSource, laneSource}, Flags: encoding.NoDPP}
	vopPermlaneIndex        = encoding.Form{Dst: vgpr(encoding.Bits32), Src: [4]encoding.Slot{vgpr(encoding.Bits32), laneSource}, Flags: encoding.NoDPP}
	vopB64_B32B32B64_C      = encoding.Form{Dst: vgpr(encoding.Bits64), Src: [4]encoding.Slot{src(encoding.Bits32), src(encoding.Bits32), src(encoding.Bits64)}, Flags: encoding.HasClamp | encoding.NoDPP}
	vopPBF16_F32mF32mB32_CO = encoding.Form{Dst: vgpr(encoding.PackedBFloat16), Src: [4]encoding.Slot{srcMods(encoding.Float32), srcMods(encoding.Float32), src(encoding.Bits32)}, Flags: encoding.HasClamp | encoding.HasOmod}
	vopPF16_F32mF32mB32_CO  = encoding.Form{Dst: vgpr(encoding.PackedFloat16), Src: [4]encoding.Slot{srcMods(encoding.Float32), srcMods(encoding.Float32), src(encoding.Bits32)}, Flags: encoding.HasClamp | encoding.HasOmod}
	vopHalf_PF16m_C         = encoding.Form{Dst: vgpr(encoding.Bits16), Src: [4]encoding.Slot{srcMods(encoding.Float32)}, Flags: encoding.HasClamp | encoding.HasOpSel}
	vopByte_F16mB32         = encoding.Form{Dst: vgpr(encoding.Bits32), Src: [4]encoding.Slot{srcMods(encoding.Float16), srcIgnored(encoding.Bits32)}, Flags: encoding.HasOpSel | encoding.ByteSel}

	vop1_8Scale, vop1_8RandomScale   = convertForm(1, 8, false), convertForm(1, 8, true)
	vop2_8Scale, vop2_8RandomScale   = convertForm(2, 8, false), convertForm(2, 8, true)
	vop1_4Scale, vop1_4RandomScale   = convertForm(1, 4, false), convertForm(1, 4, true)
	vop2_4Scale, vop2_4RandomScale   = convertForm(2, 4, false), convertForm(2, 4, true)
	vop3_16Scale, vop3_16RandomScale = convertForm(3, 16, false), convertForm(3, 16, true)
	vop3_8Scale, vop3_8RandomScale   = convertForm(3, 8, false), convertForm(3, 8, true)
	vop4_1Scale, vop8_1Scale         = scaledForm(4, 1), scaledForm(8, 1)
	vop4_2Scale, vop8_2Scale         = scaledForm(4, 2), scaledForm(8, 2)
	vop8_3Scale, vop16_3Scale        = scaledForm(8, 3), scaledForm(16, 3)

	vop3pPBF16_PBF16PBF16_CO      = encoding.Form{Dst: vgpr(encoding.PackedBFloat16), Src: [4]encoding.Slot{src(encoding.PackedBFloat16), src(encoding.PackedBFloat16)}, Flags: encoding.HasClamp | encoding.HasOpSel | encoding.PackedMods}
	vop3pPBF16_PBF16PBF16PBF16_CO = encoding.Form{Dst: vgpr(encoding.PackedBFloat16), Src: [4]encoding.Slot{src(encoding.PackedBFloat16), src(encoding.PackedBFloat16), src(encoding.PackedBFloat16)}, Flags: encoding.HasClamp | encoding.HasOpSel | encoding.PackedMods}
	vop3pPB16_PB16PB16PB16_Plain  = encoding.Form{Dst: vgpr(encoding.PackedBits16), Src: [4]encoding.Slot{srcIgnored(encoding.PackedBits16), srcIgnored(encoding.PackedBits16), srcIgnored(encoding.PackedBits16)}, Flags: encoding.HasClamp | encoding.HasOpSel | encoding.PackedMods}
	vop3pF32_F32F32F32_COMixB     = encoding.Form{Dst: vgpr(encoding.Float32), Src: [4]encoding.Slot{src(encoding.Float32), src(encoding.Float32), src(encoding.Float32)}, Flags: encoding.HasClamp | encoding.MixMods}
	vop3pBF16_F32F32F32_COMix     = encoding.Form{Dst: vgpr(encoding.BFloat16), Src: [4]encoding.Slot{src(encoding.Float32), src(encoding.Float32), src(encoding.Float32)}, Flags: encoding.HasClamp | encoding.MixMods}

	vop3pScales1 = encoding.Form{Src: [4]encoding.Slot{src(encoding.Bits32), src(encoding.Bits32)}, Flags: encoding.Scales | encoding.NoDPP}
	vop3pScales2 = encoding.Form{Src: [4]encoding.Slot{src(encoding.Bits64), src(encoding.Bits64)}, Flags: encoding.Scales | encoding.NoDPP}

	flatPrefetch     = encoding.Form{Src: [4]encoding.Slot{vgprs(2, encoding.AtAddr)}, Flags: encoding.LoadPolicy}
	globalPrefetch   = encoding.Form{Src: [4]encoding.Slot{vgprs(2, encoding.AtAddr), sgprs(2, encoding.AtSaddr)}, Flags: encoding.LoadPolicy}
	globalAsyncLoad  = encoding.Form{Src: [4]encoding.Slot{vgprs(1, encoding.AtVdst), vgprs(2, encoding.AtAddr), sgprs(2, encoding.AtSaddr)}, Flags: encoding.LoadPolicy}
	globalAsyncStore = encoding.Form{Src: [4]encoding.Slot{vgprs(2, encoding.AtAddr), vgprs(1, encoding.AtData0), sgprs(2, encoding.AtSaddr)}}
	tensorSave       = encoding.Form{Src: [4]encoding.Slot{sgprs(2, encoding.AtSaddr)}}
	tensorStop       = encoding.Form{Flags: encoding.TensorStop}
	tensorCopy       = encoding.Form{Src: [4]encoding.Slot{sgprs(4, encoding.Implied), sgprs(8, encoding.Implied), sgprs(4, encoding.Implied), sgprs(4, encoding.Implied)}}
	tensorLoad       = encoding.Form{Src: tensorCopy.Src, Flags: encoding.LoadPolicy}
)

// sop1_Wide is a scalar instruction that only reads an operand of 64 bits.
var sop1_Wide = encoding.Form{Src: [4]encoding.Slot{operand(2, encoding.AtSsrc0)}}
