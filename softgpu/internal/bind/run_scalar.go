package bind

import (
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// scalarOp is the op that does what a scalar instruction does.
type scalarOp struct {
	op    int
	width int   // registers of the result; 0: SCC alone
	wide  uint8 // sources of 64 bits, a bit for each
}

// scalarOps are the ops that do what scalar instructions do.
var scalarOps = map[string]scalarOp{
	"s_mov_b32": {op: alu.OpSMov32, width: 1}, "s_mov_b64": {op: alu.OpSMov64, width: 2}, "s_movk_i32": {op: alu.OpSMov32, width: 1},
	"s_add_u32": {op: alu.OpSAddU32, width: 1}, "s_addc_u32": {op: alu.OpSAddcU32, width: 1},
	"s_sub_u32": {op: alu.OpSSubU32, width: 1}, "s_subb_u32": {op: alu.OpSSubbU32, width: 1},
	"s_add_i32": {op: alu.OpSAddI32, width: 1}, "s_sub_i32": {op: alu.OpSSubI32, width: 1},
	"s_addk_i32": {op: alu.OpSAddI32, width: 1}, "s_mul_i32": {op: alu.OpSMulI32, width: 1}, "s_mulk_i32": {op: alu.OpSMulI32, width: 1},
	"s_and_b32": {op: alu.OpSAnd32, width: 1}, "s_or_b32": {op: alu.OpSOr32, width: 1},
	"s_xor_b32": {op: alu.OpSXor32, width: 1}, "s_andn2_b32": {op: alu.OpSAndn2, width: 1},
	"s_and_b64": {op: alu.OpSAnd64, width: 2, wide: 3}, "s_or_b64": {op: alu.OpSOr64, width: 2, wide: 3},
	"s_xor_b64": {op: alu.OpSXor64, width: 2, wide: 3}, "s_andn2_b64": {op: alu.OpSAndn2Wide, width: 2, wide: 3},
	"s_lshl_b32": {op: alu.OpSLshl32, width: 1}, "s_lshr_b32": {op: alu.OpSLshr32, width: 1}, "s_ashr_i32": {op: alu.OpSAshr32, width: 1},
	"s_lshl_b64": {op: alu.OpSLshl64, width: 2, wide: 1}, "s_lshr_b64": {op: alu.OpSLshr64, width: 2, wide: 1},
	"s_ashr_i64":    {op: alu.OpSAshr64, width: 2, wide: 1},
	"s_cselect_b32": {op: alu.OpSSelect32, width: 1}, "s_cselect_b64": {op: alu.OpSSelect64, width: 2, wide: 3},
	"s_cmp_eq_i32": {op: alu.OpSEqual}, "s_cmp_lg_i32": {op: alu.OpSUnequal}, "s_cmp_eq_u32": {op: alu.OpSEqual}, "s_cmp_lg_u32": {op: alu.OpSUnequal},
	"s_cmp_gt_i32": {op: alu.OpSGreater}, "s_cmp_ge_i32": {op: alu.OpSAtLeast}, "s_cmp_lt_i32": {op: alu.OpSLess}, "s_cmp_le_i32": {op: alu.OpSAtMost},
	"s_cmp_gt_u32": {op: alu.OpSGreaterU}, "s_cmp_ge_u32": {op: alu.OpSAtLeastU}, "s_cmp_lt_u32": {op: alu.OpSLessU}, "s_cmp_le_u32": {op: alu.OpSAtMostU},
	"s_cmpk_eq_i32": {op: alu.OpSEqual}, "s_cmpk_lg_i32": {op: alu.OpSUnequal}, "s_cmpk_eq_u32": {op: alu.OpSEqual}, "s_cmpk_lg_u32": {op: alu.OpSUnequal},
	"s_cmpk_gt_i32": {op: alu.OpSGreater}, "s_cmpk_ge_i32": {op: alu.OpSAtLeast}, "s_cmpk_lt_i32": {op: alu.OpSLess}, "s_cmpk_le_i32": {op: alu.OpSAtMost},
	"s_cmpk_gt_u32": {op: alu.OpSGreaterU}, "s_cmpk_ge_u32": {op: alu.OpSAtLeastU}, "s_cmpk_lt_u32": {op: alu.OpSLessU}, "s_cmpk_le_u32": {op: alu.OpSAtMostU},
	"s_cmp_eq_u64": {op: alu.OpSEqual64, wide: 3}, "s_cmp_lg_u64": {op: alu.OpSUnequal64, wide: 3},
}

// ScalarPart returns how a scalar instruction runs as a part; nil: it does not.
func ScalarPart(i *encoding.Inst) *encoding.Part {
	s, ok := scalarOps[i.Row.Kin()]
	if !ok {
		return nil
	}
	p := new(encoding.Part)
	op := alu.Op{Code: alu.Code(s.op)}
	sources := []encoding.Operand{i.Src[0], i.Src[1]}
	if i.Enc == encoding.SOPK {
		r := encoding.Operand{Kind: encoding.SReg, Reg: sopkRegister(i)}
		k := encoding.Operand{Kind: encoding.Const, Code: CodeLiteral, Value: uint32(int32(int16(i.Imm)))}
		switch {
		case s.width == 0:
			if strings.HasSuffix(i.Row.Kin(), "_u32") {
				k.Value &= 0xffff
			}
			sources = []encoding.Operand{r, k}
		case s.op == alu.OpSMov32:
			sources = []encoding.Operand{k}
		default:
			sources = []encoding.Operand{r, k}
		}
	}
	for n := range sources {
		if sources[n].Kind == encoding.NoOperand {
			continue
		}
		k := alu.U32
		if s.wide>>n&1 != 0 || s.width == 2 && n == 0 {
			k = alu.U64
		}
		if s.op == alu.OpSAshr64 && n == 0 {
			k = alu.I64
		}
		x := bindScalar(&sources[n], k)
		if !putScalar(p, &op, n+1, &x) {
			return nil
		}
	}
	if s.width > 0 {
		d := int(i.Dst.Reg) & wave.AllScalars
		if i.Enc == encoding.SOPK {
			d = int(sopkRegister(i)) & wave.AllScalars
		}
		if d <= wave.ExecHi && d+s.width > wave.ExecLo {
			return nil
		}
		op.File[0], op.At[0] = alu.Rest, placeOfS(d)
	}
	op.File[4], op.At[4] = alu.Rest, placeOfSCC
	p.Ops = []alu.Op{op}
	return p
}
