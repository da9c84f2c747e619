package rows

import (
	"slices"
	"strings"
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// The forms that RDNA has added, named as the others.
var (
	sopkVersion  = encoding.Form{Imm: encoding.ImmVersion}
	sopkLoop     = encoding.Form{Dst: sgprs(1, encoding.AtSdst), Imm: encoding.ImmBranch}
	sopkWait     = encoding.Form{Src: [4]encoding.Slot{{Class: encoding.SGPROnly, Width: 1, Type: encoding.Bits32, Mods: encoding.NoMods, Place: encoding.AtSdst}}, Imm: encoding.ImmHex}
	sop1Message  = encoding.Form{Dst: sgprs(1, encoding.AtSdst), Imm: encoding.ImmMessage}
	sop1Message2 = encoding.Form{Dst: sgprs(2, encoding.AtSdst), Imm: encoding.ImmMessage}
	sop2F32      = encoding.Form{Dst: sgprs(1, encoding.AtSdst), Src: [4]encoding.Slot{scalarFloat(encoding.Float32, encoding.AtSsrc0), scalarFloat(encoding.Float32, encoding.AtSsrc1)}}
	sop2F16      = encoding.Form{Dst: sgprs(1, encoding.AtSdst), Src: [4]encoding.Slot{scalarFloat(encoding.Float16, encoding.AtSsrc0), scalarFloat(encoding.Float16, encoding.AtSsrc1)}}
	sop2FmaakF32 = encoding.Form{Dst: sgprs(1, encoding.AtSdst), Src: [4]encoding.Slot{scalarFloat(encoding.Float32, encoding.AtSsrc0), scalarFloat(encoding.Float32, encoding.AtSsrc1), {Class: encoding.LitK, Width: 1, Type: encoding.Float32, Mods: encoding.NoMods, Place: encoding.Implied}}}
	sop2FmamkF32 = encoding.Form{Dst: sgprs(1, encoding.AtSdst), Src: [4]encoding.Slot{scalarFloat(encoding.Float32, encoding.AtSsrc0), {Class: encoding.LitK, Width: 1, Type: encoding.Float32, Mods: encoding.NoMods, Place: encoding.Implied}, scalarFloat(encoding.Float32, encoding.AtSsrc1)}}
	sop1F32      = encoding.Form{Dst: sgprs(1, encoding.AtSdst), Src: [4]encoding.Slot{scalarFloat(encoding.Float32, encoding.AtSsrc0)}}
	sop1F16      = encoding.Form{Dst: sgprs(1, encoding.AtSdst), Src: [4]encoding.Slot{scalarFloat(encoding.Float16, encoding.AtSsrc0)}}
	sopcF32      = encoding.Form{Src: [4]encoding.Slot{scalarFloat(encoding.Float32, encoding.AtSsrc0), scalarFloat(encoding.Float32, encoding.AtSsrc1)}}
	sopcF16      = encoding.Form{Src: [4]encoding.Slot{scalarFloat(encoding.Bits16, encoding.AtSsrc0), scalarFloat(encoding.Bits16, encoding.AtSsrc1)}}
	soppHex      = encoding.Form{Imm: encoding.ImmHex}
	soppDelay    = encoding.Form{Imm: encoding.ImmDelay}
	soppDepctr   = encoding.Form{Imm: encoding.ImmDepctr}

	vopF32_PF16PF16_Only     = encoding.Form{Dst: vgpr(encoding.Float32), Src: [4]encoding.Slot{srcMods(encoding.PackedFloat16), srcMods(encoding.PackedFloat16)}, Flags: encoding.NoVOP3}
	vopPF16_PF16PF16_Only    = encoding.Form{Dst: vgpr(encoding.PackedFloat16), Src: [4]encoding.Slot{src(encoding.PackedFloat16), src(encoding.PackedFloat16)}, Flags: encoding.NoVOP3 | encoding.NoDPP}
	vopF32_PF16PF16_Dot      = encoding.Form{Dst: vgpr(encoding.Float32), Src: [4]encoding.Slot{srcMods(encoding.PackedFloat16), srcMods(encoding.PackedFloat16)}, Flags: encoding.NoVOP3 | encoding.NoSDWA}
	vopB32_B32iB32i_Dot      = encoding.Form{Dst: vgpr(encoding.Bits32), Src: [4]encoding.Slot{srcIgnored(encoding.Bits32), srcIgnored(encoding.Bits32)}, Flags: encoding.NoVOP3 | encoding.NoSDWA}
	vopPF16_PF16PF16_Dot     = encoding.Form{Dst: vgpr(encoding.PackedFloat16), Src: [4]encoding.Slot{srcMods(encoding.PackedFloat16), srcMods(encoding.PackedFloat16)}, Flags: encoding.NoVOP3 | encoding.NoSDWA}
	vopF32_F32mF32m_CONoDPP  = encoding.Form{Dst: vgpr(encoding.Float32), Src: [4]encoding.Slot{srcMods(encoding.Float32), srcMods(encoding.Float32)}, Flags: encoding.HasClamp | encoding.HasOmod | encoding.NoSDWA | encoding.NoDPP}
	vopNoE32                 = encoding.Form{Flags: encoding.NoVOP3 | encoding.NoDPP | encoding.NoSDWA}
	vopB16_B16               = encoding.Form{Dst: vgpr(encoding.Bits16), Src: [4]encoding.Slot{src(encoding.Bits16)}}
	vopF16_F16mF16m_COA      = encoding.Form{Dst: vgpr(encoding.Float16), Src: [4]encoding.Slot{srcMods(encoding.Float16), srcMods(encoding.Float16)}, Flags: encoding.HasClamp | encoding.HasOmod | encoding.Accumulates}
	vopB32_B32B32B16_S       = encoding.Form{Dst: vgpr(encoding.Bits32), Src: [4]encoding.Slot{src(encoding.Bits32), src(encoding.Bits32), src(encoding.Bits16)}, Flags: encoding.HasOpSel}
	vopB16_B32               = encoding.Form{Dst: vgpr(encoding.Bits16), Src: [4]encoding.Slot{src(encoding.Bits32)}}
	vopB32_B16               = encoding.Form{Dst: vgpr(encoding.Bits32), Src: [4]encoding.Slot{src(encoding.Bits16)}}
	vopB32_VB32              = encoding.Form{Dst: vgpr(encoding.Bits32), Src: [4]encoding.Slot{vgpr(encoding.Bits32)}}
	vopB16_VB16E32           = encoding.Form{Dst: vgpr(encoding.Bits16), Src: [4]encoding.Slot{vgpr(encoding.Bits16)}, Flags: encoding.NoVOP3 | encoding.NoDPP}
	vopPermlane              = encoding.Form{Dst: vgpr(encoding.Bits32), Src: [4]encoding.Slot{vgpr(encoding.Bits32), {Class: encoding.ScalarOnly, Width: 1, Type: encoding.Bits32, Mods: encoding.NoMods, Place: encoding.Implied}, {Class: encoding.ScalarOnly, Width: 1, Type: encoding.Bits32, Mods: encoding.NoMods, Place: encoding.Implied}}, Flags: encoding.NoDPP | encoding.SwapLanes}
	vopB16_B16mB16mCi        = encoding.Form{Dst: vgpr(encoding.Bits16), Src: [4]encoding.Slot{srcMods(encoding.Bits16), srcMods(encoding.Bits16), carryIn}, Flags: encoding.HasOpSel}
	vopF16_PF16PF16F16       = encoding.Form{Dst: vgpr(encoding.Float16), Src: [4]encoding.Slot{srcMods(encoding.PackedFloat16), srcMods(encoding.PackedFloat16), srcMods(encoding.Float16)}, Flags: encoding.HasOpSel}
	vopBF16_PBF16PBF16BF16   = encoding.Form{Dst: vgpr(encoding.BFloat16), Src: [4]encoding.Slot{srcMods(encoding.PackedBFloat16), srcMods(encoding.PackedBFloat16), srcMods(encoding.BFloat16)}, Flags: encoding.HasOpSel}
	vop3pB32_B32B32B32_Signs = encoding.Form{Dst: vgpr(encoding.Bits32), Src: [4]encoding.Slot{src(encoding.Bits32), src(encoding.Bits32), src(encoding.Bits32)}, Flags: encoding.HasClamp | encoding.PackedMods}
	ds2_d1Gds                = encoding.Form{Dst: vgprs(2, encoding.AtVdst), Src: [4]encoding.Slot{vgprs(1, encoding.AtData0)}, Flags: encoding.GDSOnly | encoding.HasOffset}
	globalLoadAddtid         = encoding.Form{Dst: vgprs(1, encoding.AtVdst), Src: [4]encoding.Slot{sgprs(2, encoding.AtSaddr)}}
	globalStoreAddtid        = encoding.Form{Src: [4]encoding.Slot{vgprs(1, encoding.AtData0), sgprs(2, encoding.AtSaddr)}}
	mubufNone                = encoding.Form{}
)

// scalarFloat is a source of a scalar instruction on floats.
func scalarFloat(t encoding.Type, at encoding.Place) encoding.Slot {
	return encoding.Slot{Class: encoding.AnySrc, Width: 1, Type: t, Place: at}
}

// withoutDPP are instructions that have no DPP, though their operands would suit it. Those
// on operands of 64 bits have none either.
var withoutDPP = []string{
	"v_fma_dx9_zero_f32", "v_fmac_dx9_zero_f32", "v_div_fixup_f32", "v_div_fmas_f32", "v_div_scale_f32",
	"v_mul_lo_u32", "v_mul_hi_u32", "v_mul_hi_i32", "v_readlane_b32", "v_writelane_b32",
}

// rdnaForm is a form of GFX9's as RDNA has it in an instruction: 16-bit operands are halves
// of registers, comparisons take DPP, those named v_cmpx write EXEC alone.
func rdnaForm(f *encoding.Form, name string) *encoding.Form {
	toExec, noDPP := strings.HasPrefix(name, "v_cmpx_"), slices.Contains(withoutDPP, name)
	return formMade(formKey{f, encoding.GFX11, toExec, noDPP}, gfx11Form)
}

// formMade returns the form that of makes from a copy of the key's form. Each key has one result.
func formMade(key formKey, of func(g *encoding.Form, key formKey)) *encoding.Form {
	if g, ok := formsMade.Load(key); ok {
		return g.(*encoding.Form)
	}
	g := *key.of
	of(&g, key)
	made, _ := formsMade.LoadOrStore(key, &g)
	return made.(*encoding.Form)
}

func gfx11Form(g *encoding.Form, key formKey) {
	half := g.Dst.Type.IsHalf()
	for n := range g.Src {
		half = half || g.Src[n].Type.IsHalf()
	}
	for n := range g.Src {
		if s := &g.Src[n]; half && s.Mods == encoding.NoMods && s.Class == encoding.AnySrc {
			s.Mods = encoding.IgnoredMods
		}
	}
	if half && !g.Has(encoding.MixMods) && g.Dst.Class != encoding.ScalarOnly {
		g.Flags |= encoding.HasOpSel
	}
	if g.SDst.Class == encoding.CarryOut && g.Dst.Class == encoding.NoSlot {
		g.Flags &^= encoding.NoDPP
		if key.toExec {
			g.SDst = encoding.Slot{}
			g.Flags |= encoding.ToExec
		}
	}
	if key.special || g.Wide() || g.Src[0].Class == encoding.NoSlot {
		g.Flags |= encoding.NoDPP
	}
}

type formKey struct {
	of              *encoding.Form
	set             encoding.Set
	toExec, special bool // named v_cmpx; one for which the set's function knows an exception
}

var formsMade sync.Map
