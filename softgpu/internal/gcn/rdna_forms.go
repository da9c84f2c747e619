package gcn

import (
	"slices"
	"strings"
	"sync"
)

// The forms that RDNA has added, named as the others.
var (
	sopkHex      = Form{Imm: ImmHex}
	sopkLoop     = Form{Dst: sgprs(1, AtSdst), Imm: ImmBranch}
	sopkWait     = Form{Src: [4]Slot{{SGPROnly, 1, Bits32, NoMods, AtSdst}}, Imm: ImmHex}
	sop1Message  = Form{Dst: sgprs(1, AtSdst), Imm: ImmMessage}
	sop1Message2 = Form{Dst: sgprs(2, AtSdst), Imm: ImmMessage}
	soppHex      = Form{Imm: ImmHex}
	soppDelay    = Form{Imm: ImmDelay}
	soppDepctr   = Form{Imm: ImmDepctr}

	vopF32_PF16PF16_Only     = Form{Dst: vgpr(Float32), Src: [4]Slot{srcMods(PackedFloat16), srcMods(PackedFloat16)}, Flags: NoVOP3}
	vopPF16_PF16PF16_Only    = Form{Dst: vgpr(PackedFloat16), Src: [4]Slot{src(PackedFloat16), src(PackedFloat16)}, Flags: NoVOP3 | NoDPP}
	vopNoE32                 = Form{Flags: NoVOP3 | NoDPP}
	vopB16_B16               = Form{Dst: vgpr(Bits16), Src: [4]Slot{src(Bits16)}}
	vopF16_F16mF16m_COA      = Form{Dst: vgpr(Float16), Src: [4]Slot{srcMods(Float16), srcMods(Float16)}, Flags: HasClamp | HasOmod | Accumulates}
	vopB32_B32B32B16_S       = Form{Dst: vgpr(Bits32), Src: [4]Slot{src(Bits32), src(Bits32), src(Bits16)}, Flags: HasOpSel}
	vopB16_B32               = Form{Dst: vgpr(Bits16), Src: [4]Slot{src(Bits32)}}
	vopB32_B16               = Form{Dst: vgpr(Bits32), Src: [4]Slot{src(Bits16)}}
	vopB32_VB32              = Form{Dst: vgpr(Bits32), Src: [4]Slot{vgpr(Bits32)}}
	vopB16_VB16E32           = Form{Dst: vgpr(Bits16), Src: [4]Slot{vgpr(Bits16)}, Flags: NoVOP3 | NoDPP}
	vopPermlane              = Form{Dst: vgpr(Bits32), Src: [4]Slot{vgpr(Bits32), {ScalarOnly, 1, Bits32, NoMods, Implied}, {ScalarOnly, 1, Bits32, NoMods, Implied}}, Flags: NoDPP | SwapLanes}
	vopB16_B16mB16mCi        = Form{Dst: vgpr(Bits16), Src: [4]Slot{srcMods(Bits16), srcMods(Bits16), carryIn}, Flags: HasOpSel}
	vopF16_PF16PF16F16       = Form{Dst: vgpr(Float16), Src: [4]Slot{srcMods(PackedFloat16), srcMods(PackedFloat16), srcMods(Float16)}, Flags: HasOpSel}
	vopBF16_PBF16PBF16BF16   = Form{Dst: vgpr(BFloat16), Src: [4]Slot{srcMods(PackedBFloat16), srcMods(PackedBFloat16), srcMods(BFloat16)}, Flags: HasOpSel}
	vop3pB32_B32B32B32_Signs = Form{Dst: vgpr(Bits32), Src: [4]Slot{src(Bits32), src(Bits32), src(Bits32)}, Flags: HasClamp | PackedMods}
	ds2_d1Gds                = Form{Dst: vgprs(2, AtVdst), Src: [4]Slot{vgprs(1, AtData0)}, Flags: GDSOnly | HasOffset}
	globalLoadAddtid         = Form{Dst: vgprs(1, AtVdst), Src: [4]Slot{sgprs(2, AtSaddr)}}
	globalStoreAddtid        = Form{Src: [4]Slot{vgprs(1, AtData0), sgprs(2, AtSaddr)}}
	mubufNone                = Form{}
)

// withoutDPP are instructions that have no DPP, though their operands would suit it. Those
// on operands of 64 bits have none either.
var withoutDPP = []string{
	"v_fma_dx9_zero_f32", "v_fmac_dx9_zero_f32", "v_div_fixup_f32", "v_div_fmas_f32", "v_div_scale_f32",
	"v_mul_lo_u32", "v_mul_hi_u32", "v_mul_hi_i32", "v_readlane_b32", "v_writelane_b32",
}

// rdnaForm is a form of GFX9's as RDNA has it in an instruction: 16-bit operands are halves
// of registers, comparisons take DPP, those named v_cmpx write EXEC alone.
func rdnaForm(f *Form, name string) *Form {
	toExec, noDPP := strings.HasPrefix(name, "v_cmpx_"), slices.Contains(withoutDPP, name)
	key := rdnaFormKey{f, toExec, noDPP}
	if g, ok := rdnaFormsMade.Load(key); ok {
		return g.(*Form)
	}
	g := *f
	half := g.Dst.Type.isHalf()
	for n := range g.Src {
		half = half || g.Src[n].Type.isHalf()
	}
	for n := range g.Src {
		if s := &g.Src[n]; half && s.Mods == NoMods && s.Class == AnySrc {
			s.Mods = IgnoredMods
		}
	}
	if half && !g.Has(MixMods) {
		g.Flags |= HasOpSel
	}
	if g.SDst.Class == CarryOut && g.Dst.Class == NoSlot {
		g.Flags &^= NoDPP
		if toExec {
			g.SDst = Slot{}
			g.Flags |= ToExec
		}
	}
	if noDPP || g.wide() || g.Src[0].Class == NoSlot {
		g.Flags |= NoDPP
	}
	made, _ := rdnaFormsMade.LoadOrStore(key, &g)
	return made.(*Form)
}

type rdnaFormKey struct {
	of            *Form
	toExec, noDPP bool
}

var rdnaFormsMade sync.Map
