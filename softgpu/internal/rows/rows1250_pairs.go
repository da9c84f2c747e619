package rows

import (
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

func rows1250VOPDY() change {
	return change{without: []string{"v_dual_and_b32"}, more: []encoding.Row{
		{Op: 0x14, Name: "v_dual_sub_nc_u32", Like: "v_sub_u32"},
		{Op: 0x15, Name: "v_dual_lshrrev_b32", Like: "v_lshrrev_b32"},
		{Op: 0x16, Name: "v_dual_ashrrev_i32", Like: "v_ashrrev_i32"},
		{Op: 0x17, Name: "v_dual_max_i32", Like: "v_max_i32"},
		{Op: 0x18, Name: "v_dual_min_i32", Like: "v_min_i32"},
	}}
}

// pairs3 are the instructions of pairs with three sources each: number, name and the name of the same alone.
var pairs3 = []struct {
	op         uint16
	name, like string
	x, y       bool // in which of the two
}{
	{0x00, "fmac_f32", "v_fmac_f32", true, true}, {0x03, "mul_f32", "v_mul_f32", true, true}, {0x04, "add_f32", "v_add_f32", true, true},
	{0x05, "sub_f32", "v_sub_f32", true, true}, {0x06, "subrev_f32", "v_subrev_f32", true, true}, {0x07, "mul_dx9_zero_f32", "v_mul_legacy_f32", true, true},
	{0x08, "mov_b32", "v_mov_b32", true, true}, {0x09, "cndmask_b32", "v_cndmask_b32", true, true}, {0x0a, "max_num_f32", "v_max_num_f32", true, true},
	{0x0b, "min_num_f32", "v_min_num_f32", true, true}, {0x0c, "dot2acc_f32_f16", "v_dot2c_f32_f16", true, true}, {0x0d, "dot2acc_f32_bf16", "v_dot2c_f32_bf16", true, true},
	{0x10, "add_nc_u32", "v_add_u32", true, true}, {0x11, "lshlrev_b32", "v_lshlrev_b32", true, true}, {0x12, "bitop2_b32", "v_bitop3_b32", false, true},
	{0x13, "fma_f32", "v_fma_f32", true, true}, {0x14, "sub_nc_u32", "v_sub_u32", true, true}, {0x15, "lshrrev_b32", "v_lshrrev_b32", true, true},
	{0x16, "ashrrev_i32", "v_ashrrev_i32", true, true}, {0x17, "max_i32", "v_max_i32", false, true}, {0x18, "min_i32", "v_min_i32", false, true},
	{0x20, "fma_f64", "v_fma_f64", true, false}, {0x21, "add_f64", "v_add_f64", true, false}, {0x22, "mul_f64", "v_mul_f64", true, false},
	{0x23, "max_num_f64", "v_max_num_f64", true, false}, {0x24, "min_num_f64", "v_min_num_f64", true, false},
}

func rows1250VOPD3() []encoding.Row { return pairRows(true) }

func rows1250VOPD3Y() []encoding.Row { return pairRows(false) }

// pairRows are the instructions of one of the two.
func pairRows(x bool) []encoding.Row {
	var rows []encoding.Row
	young := byName(gfx12Rows())
	for _, p := range pairs3 {
		if x && !p.x || !x && !p.y {
			continue
		}
		alone := gfx9ByName()[p.like]
		if alone == nil {
			alone = young[p.like]
		}
		f := *alone.Form
		f.Flags &^= encoding.HasClamp | encoding.HasOmod
		switch {
		case p.name == "bitop2_b32":
			f.Src[2] = encoding.Slot{}
		case strings.HasPrefix(p.name, "dot2acc"):
			for n := range 2 {
				f.Src[n].Mods = encoding.NoMods
			}
		}
		rows = append(rows, encoding.Row{Op: p.op, Name: "v_dual_" + p.name, Like: p.like, Form: &f, Do: alone.Do, Fidelity: alone.Fidelity})
	}
	return rows
}
