package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
)

// What vector instructions of GFX12 have different: minima and maxima of IEEE 754-2019, those of doubles in VOP2,
// numbers of 8 bits, and scalar functions.

// Minima and maxima, which scalar instructions and pairs have as well.
var (
	leastNumberF32 = encoding.Row{Name: "v_min_num_f32", Form: &vopF32_F32mF32m_CO, Do: bind.BinaryF32(alu.LeastNumberF32)}
	mostNumberF32  = encoding.Row{Name: "v_max_num_f32", Form: &vopF32_F32mF32m_CO, Do: bind.BinaryF32(alu.MostNumberF32)}
	smallestF32    = encoding.Row{Name: "v_minimum_f32", Form: &vopF32_F32mF32m_CO, Do: bind.BinaryF32(alu.SmallestF32)}
	largestF32     = encoding.Row{Name: "v_maximum_f32", Form: &vopF32_F32mF32m_CO, Do: bind.BinaryF32(alu.LargestF32)}
	leastNumberF16 = encoding.Row{Name: "v_min_num_f16", Form: &vopF16_F16mF16m_CO, Do: bind.BinaryF16(alu.LeastNumberF16)}
	mostNumberF16  = encoding.Row{Name: "v_max_num_f16", Form: &vopF16_F16mF16m_CO, Do: bind.BinaryF16(alu.MostNumberF16)}
	smallestF16    = encoding.Row{Name: "v_minimum_f16", Form: &vopF16_F16mF16m_CO, Do: bind.BinaryF16(alu.SmallestF16)}
	largestF16     = encoding.Row{Name: "v_maximum_f16", Form: &vopF16_F16mF16m_CO, Do: bind.BinaryF16(alu.LargestF16)}
)

// at is a row with a number.
func at(op uint16, row encoding.Row) encoding.Row {
	row.Op = op
	return row
}

// dualPicks gives pairs' minima and maxima GFX12's meanings.
func dualPicks(rows []encoding.Row) []encoding.Row {
	for n := range rows {
		switch row := &rows[n]; row.Name {
		case "v_dual_min_num_f32":
			row.Do, row.Like = leastNumberF32.Do, leastNumberF32.Name
		case "v_dual_max_num_f32":
			row.Do, row.Like = mostNumberF32.Do, mostNumberF32.Name
		}
	}
	return rows
}

func rows12VOP2() change {
	return change{
		without: []string{"v_dot2acc_f32_f16", "v_fmac_dx9_zero_f32", "v_min_f32", "v_max_f32", "v_max_f16", "v_min_f16"},
		more: []encoding.Row{
			{Op: 0x02, Name: "v_add_f64"},
			{Op: 0x06, Name: "v_mul_f64"},
			{Op: 0x0d, Name: "v_min_num_f64", Form: &vopF64_F64mF64m_CO, Do: bind.BinaryWide(alu.LeastNumberF64, alu.F64, alu.F64, alu.F64)},
			{Op: 0x0e, Name: "v_max_num_f64", Form: &vopF64_F64mF64m_CO, Do: bind.BinaryWide(alu.MostNumberF64, alu.F64, alu.F64, alu.F64)},
			at(0x15, leastNumberF32), at(0x16, mostNumberF32),
			{Op: 0x1f, Name: "v_lshlrev_b64"},
			at(0x30, leastNumberF16), at(0x31, mostNumberF16),
		},
	}
}

func rows12VOP1() change {
	return change{more: []encoding.Row{
		{Op: 0x6c, Name: "v_cvt_f32_fp8", Form: &vopF32_Byte, Do: bind.CvtF32(bind.FP8)},
		{Op: 0x6d, Name: "v_cvt_f32_bf8", Form: &vopF32_Byte, Do: bind.CvtF32(bind.BF8)},
		{Op: 0x6e, Name: "v_cvt_pk_f32_fp8", Form: &vopPF32_Half, Do: bind.CvtPkF32(bind.FP8)},
		{Op: 0x6f, Name: "v_cvt_pk_f32_bf8", Form: &vopPF32_Half, Do: bind.CvtPkF32(bind.BF8)},
	}}
}

func rows12VOPC() change {
	var gone []string
	for _, x := range []string{"", "x"} {
		for _, kind := range []string{"f16", "f32", "f64", "i32", "u32", "i64", "u64"} {
			gone = append(gone, "v_cmp"+x+"_f_"+kind, "v_cmp"+x+"_t_"+kind)
		}
	}
	return change{without: gone}
}

func rows12VOP3() change {
	f32 := func(op uint16, name string, k alu.TempKernel3) encoding.Row {
		return encoding.Row{Op: op, Name: name, Form: &vopF32_F32mF32mF32m_CO, Do: bind.PicksF32(k)}
	}
	f16 := func(op uint16, name string, k alu.TempKernel3) encoding.Row {
		return encoding.Row{Op: op, Name: name, Form: &vopF16_F16mF16mF16m_COS, Do: bind.PicksF16(alu.LowWords(k))}
	}
	c := change{
		without: []string{
			"v_min3_f32", "v_max3_f32", "v_med3_f32", "v_min3_f16", "v_max3_f16", "v_med3_f16", "v_maxmin_f32", "v_minmax_f32", "v_maxmin_f16", "v_minmax_f16",
			"v_add_f64", "v_mul_f64", "v_min_f64", "v_max_f64", "v_lshlrev_b64",
		},
		renamed: map[string]string{"v_mad_u64_u32": "v_mad_co_u64_u32", "v_mad_i64_i32": "v_mad_co_i64_i32"},
		more: []encoding.Row{
			f32(0x229, "v_min3_num_f32", bind.TwoPicks(alu.LeastNumberF32, alu.LeastNumberF32)),
			f32(0x22a, "v_max3_num_f32", bind.TwoPicks(alu.MostNumberF32, alu.MostNumberF32)),
			f16(0x22b, "v_min3_num_f16", bind.TwoPicks(alu.LeastNumberF16, alu.LeastNumberF16)),
			f16(0x22c, "v_max3_num_f16", bind.TwoPicks(alu.MostNumberF16, alu.MostNumberF16)),
			f32(0x22d, "v_minimum3_f32", alu.Smallest3F32),
			f32(0x22e, "v_maximum3_f32", alu.Largest3F32),
			f16(0x22f, "v_minimum3_f16", bind.TwoPicks(alu.SmallestF16, alu.SmallestF16)),
			f16(0x230, "v_maximum3_f16", bind.TwoPicks(alu.LargestF16, alu.LargestF16)),
			f32(0x231, "v_med3_num_f32", alu.OrderF32.MedianNumber(alu.MinF32, alu.MaxF32)),
			f16(0x232, "v_med3_num_f16", alu.OrderF16.MedianNumber(alu.MinF16, alu.MaxF16)),
			f32(0x268, "v_minmax_num_f32", bind.TwoPicks(alu.LeastNumberF32, alu.MostNumberF32)),
			f32(0x269, "v_maxmin_num_f32", bind.TwoPicks(alu.MostNumberF32, alu.LeastNumberF32)),
			f16(0x26a, "v_minmax_num_f16", bind.TwoPicks(alu.LeastNumberF16, alu.MostNumberF16)),
			f16(0x26b, "v_maxmin_num_f16", bind.TwoPicks(alu.MostNumberF16, alu.LeastNumberF16)),
			f32(0x26c, "v_minimummaximum_f32", bind.TwoPicks(alu.SmallestF32, alu.LargestF32)),
			f32(0x26d, "v_maximumminimum_f32", bind.TwoPicks(alu.LargestF32, alu.SmallestF32)),
			f16(0x26e, "v_minimummaximum_f16", bind.TwoPicks(alu.SmallestF16, alu.LargestF16)),
			f16(0x26f, "v_maximumminimum_f16", bind.TwoPicks(alu.LargestF16, alu.SmallestF16)),
			{Op: 0x30f, Name: "v_permlane16_var_b32", Form: &vopPermlaneVar, Do: bind.PermlaneVar(false)},
			{Op: 0x310, Name: "v_permlanex16_var_b32", Form: &vopPermlaneVar, Do: bind.PermlaneVar(true)},
			{Op: 0x341, Name: "v_minimum_f64", Form: &vopF64_F64mF64m_CO, Do: bind.BinaryWide(alu.SmallestF64, alu.F64, alu.F64, alu.F64)},
			{Op: 0x342, Name: "v_maximum_f64", Form: &vopF64_F64mF64m_CO, Do: bind.BinaryWide(alu.LargestF64, alu.F64, alu.F64, alu.F64)},
			at(0x365, smallestF32), at(0x366, largestF32), at(0x367, smallestF16), at(0x368, largestF16),
			{Op: 0x369, Name: "v_cvt_pk_fp8_f32", Form: &vopHalf_F32mF32m, Do: bind.CvtPkFp8(bind.FP8, false)},
			{Op: 0x36a, Name: "v_cvt_pk_bf8_f32", Form: &vopHalf_F32mF32m, Do: bind.CvtPkFp8(bind.BF8, false)},
			{Op: 0x36b, Name: "v_cvt_sr_fp8_f32", Form: &vopByte_F32mB32, Do: bind.CvtSr(bind.FP8, false)},
			{Op: 0x36c, Name: "v_cvt_sr_bf8_f32", Form: &vopByte_F32mB32, Do: bind.CvtSr(bind.BF8, false)},
		},
	}
	for n, name := range []string{"exp", "log", "rcp", "rsq", "sqrt"} {
		c.more = append(c.more,
			encoding.Row{Op: 0x280 + 2*uint16(n), Name: "v_s_" + name + "_f32", Form: &vopScalarF32, Do: scalarFunction("v_"+name+"_f32", alu.F32), Fidelity: gfx9ByName()["v_"+name+"_f32"].Fidelity},
			encoding.Row{Op: 0x281 + 2*uint16(n), Name: "v_s_" + name + "_f16", Form: &vopScalarF16, Do: scalarFunction("v_"+name+"_f16", alu.F16), Fidelity: gfx9ByName()["v_"+name+"_f16"].Fidelity})
	}
	return c
}

func rows12VOP3P() change {
	pairs := func(op uint16, name string, k alu.Kernel2) encoding.Row {
		return encoding.Row{Op: op, Name: name, Form: &vop3pPF16_PF16PF16_CO, Do: bind.PairsF16x2(k)}
	}
	dot := func(op uint16, name string, a, b matrix.Entry) encoding.Row {
		return encoding.Row{Op: op, Name: name, Form: &vop3pF32_Bytes, Do: bind.DotBytes(a, b), Fidelity: &exactSums}
	}
	return change{
		without: []string{"v_pk_min_f16", "v_pk_max_f16"},
		more: []encoding.Row{
			pairs(0x1b, "v_pk_min_num_f16", alu.PkLeastNumberF16), pairs(0x1c, "v_pk_max_num_f16", alu.PkMostNumberF16),
			pairs(0x1d, "v_pk_minimum_f16", alu.PkSmallestF16), pairs(0x1e, "v_pk_maximum_f16", alu.PkLargestF16),
			dot(0x24, "v_dot4_f32_fp8_bf8", matrix.EntryE4M3, matrix.EntryE5M2), dot(0x25, "v_dot4_f32_bf8_fp8", matrix.EntryE5M2, matrix.EntryE4M3),
			dot(0x26, "v_dot4_f32_fp8_fp8", matrix.EntryE4M3, matrix.EntryE4M3), dot(0x27, "v_dot4_f32_bf8_bf8", matrix.EntryE5M2, matrix.EntryE5M2),
		},
	}
}

// rows12WMMA are the matrix instructions of RDNA4.
var rows12WMMA = sync.OnceValue(func() []encoding.Row {
	const (
		f32, f16, bf16 = matrix.EntryF32, matrix.EntryF16, matrix.EntryBF16
		i8, i4         = matrix.EntryI8, matrix.EntryI4
		fp8, bf8       = matrix.EntryE4M3, matrix.EntryE5M2
	)
	dense := func(op uint16, name string, k int, d, a, b matrix.Entry) encoding.Row {
		return wmmaRow(op, "v_wmma_"+name, matrix.WMMA{K: k, A: a, B: b, D: d}, false)
	}
	sparse := func(op uint16, name string, k int, d, a, b matrix.Entry) encoding.Row {
		return wmmaRow(op, "v_swmmac_"+name, matrix.WMMA{K: k, A: a, B: b, D: d, Sparse: true}, false)
	}
	return []encoding.Row{
		dense(0x40, "f32_16x16x16_f16", 16, f32, f16, f16), dense(0x41, "f32_16x16x16_bf16", 16, f32, bf16, bf16),
		dense(0x42, "f16_16x16x16_f16", 16, f16, f16, f16), dense(0x43, "bf16_16x16x16_bf16", 16, bf16, bf16, bf16),
		dense(0x44, "i32_16x16x16_iu8", 16, i8, i8, i8), dense(0x45, "i32_16x16x16_iu4", 16, i8, i4, i4),
		dense(0x46, "f32_16x16x16_fp8_fp8", 16, f32, fp8, fp8), dense(0x47, "f32_16x16x16_fp8_bf8", 16, f32, fp8, bf8),
		dense(0x48, "f32_16x16x16_bf8_fp8", 16, f32, bf8, fp8), dense(0x49, "f32_16x16x16_bf8_bf8", 16, f32, bf8, bf8),
		dense(0x4a, "i32_16x16x32_iu4", 32, i8, i4, i4),
		sparse(0x50, "f32_16x16x32_f16", 32, f32, f16, f16), sparse(0x51, "f32_16x16x32_bf16", 32, f32, bf16, bf16),
		sparse(0x52, "f16_16x16x32_f16", 32, f16, f16, f16), sparse(0x53, "bf16_16x16x32_bf16", 32, bf16, bf16, bf16),
		sparse(0x54, "i32_16x16x32_iu8", 32, i8, i8, i8), sparse(0x55, "i32_16x16x32_iu4", 32, i8, i4, i4), sparse(0x56, "i32_16x16x64_iu4", 64, i8, i4, i4),
		sparse(0x57, "f32_16x16x32_fp8_fp8", 32, f32, fp8, fp8), sparse(0x58, "f32_16x16x32_fp8_bf8", 32, f32, fp8, bf8),
		sparse(0x59, "f32_16x16x32_bf8_fp8", 32, f32, bf8, fp8), sparse(0x5a, "f32_16x16x32_bf8_bf8", 32, f32, bf8, bf8),
	}
})
