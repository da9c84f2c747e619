package bind

import (
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// scalarOp is the op of a scalar instruction.
type scalarOp struct {
	op    int
	width int   // registers of the result; 0: SCC alone
	wide  uint8 // sources of 64 bits, a bit for each
}

// scalarOps are the ops of scalar instructions.
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
			if i.Wave32 && d+s.width > wave.ExecHi {
				return nil // the upper half stays 0
			}
			p.Exec = true
		}
		op.File[0], op.At[0] = alu.Rest, placeOfS(d)
	}
	op.File[4], op.At[4] = alu.Rest, placeOfSCC
	p.Ops = []alu.Op{op}
	return p
}

// savingOp is the op with which an instruction that keeps EXEC combines it with its source.
type savingOp struct {
	op       int
	wide     bool
	exchange bool // EXEC is the first source
}

var savingOps = map[string]savingOp{
	"s_and_saveexec_b64": {op: alu.OpSAnd64, wide: true}, "s_and_saveexec_b32": {op: alu.OpSAnd32},
	"s_or_saveexec_b64": {op: alu.OpSOr64, wide: true}, "s_or_saveexec_b32": {op: alu.OpSOr32},
	"s_xor_saveexec_b64": {op: alu.OpSXor64, wide: true}, "s_xor_saveexec_b32": {op: alu.OpSXor32},
	"s_andn2_saveexec_b64": {op: alu.OpSAndn2Wide, wide: true}, "s_and_not1_saveexec_b32": {op: alu.OpSAndn2},
	"s_andn1_saveexec_b64": {op: alu.OpSAndn2Wide, wide: true, exchange: true}, "s_and_not0_saveexec_b32": {op: alu.OpSAndn2, exchange: true},
}

// SavingPart returns how an instruction that keeps EXEC and changes it runs as a part; nil: it does not.
func SavingPart(i *encoding.Inst) *encoding.Part {
	s, ok := savingOps[i.Row.Kin()]
	d, width, kind, move := int(i.Dst.Reg)&wave.AllScalars, 1, alu.U32, alu.OpSMov32
	if s.wide {
		width, kind, move = 2, alu.U64, alu.OpSMov64
	}
	if !ok || s.wide && i.Wave32 || d <= wave.ExecHi && d+width > wave.ExecLo {
		return nil
	}
	p, a := &encoding.Part{Exec: true}, bindScalar(&i.Src[0], kind)
	combine, from, exec := alu.Op{Code: alu.Code(s.op)}, 1, 2
	if s.exchange {
		from, exec = 2, 1
	}
	if !putScalar(p, &combine, from, &a) {
		return nil
	}
	put := func(op *alu.Op, n int, at uintptr) { op.File[n], op.At[n] = alu.Rest, at }
	put(&combine, 0, placeOfS(wave.ExecLo))
	put(&combine, exec, placeOfS(wave.ExecLo))
	put(&combine, 4, placeOfSCC)
	p.Ops = []alu.Op{moveOp(move, placeOfTemp(3), placeOfS(wave.ExecLo)), combine, moveOp(move, placeOfS(d), placeOfTemp(3))}
	return p
}

// moveOp moves a scalar from one place in the Wave to another.
func moveOp(op int, to, from uintptr) alu.Op {
	return alu.Op{Code: alu.Code(op), File: [8]uint8{alu.Rest, alu.Rest}, At: [6]uintptr{to, from}}
}

// branchOps are the ops of branches, with their conditions.
var branchOps = map[string]struct {
	op int
	at uintptr
}{
	"s_branch":         {op: alu.OpLeave},
	"s_cbranch_scc0":   {alu.OpLeaveZero32, placeOfSCC},
	"s_cbranch_scc1":   {alu.OpLeaveNonzero32, placeOfSCC},
	"s_cbranch_vccz":   {alu.OpLeaveZero, placeOfS(wave.VccLo)},
	"s_cbranch_vccnz":  {alu.OpLeaveNonzero, placeOfS(wave.VccLo)},
	"s_cbranch_execz":  {alu.OpLeaveZero, placeOfS(wave.ExecLo)},
	"s_cbranch_execnz": {alu.OpLeaveNonzero, placeOfS(wave.ExecLo)},
}

// BranchPart returns how a branch runs as a part; nil: it does not.
func BranchPart(i *encoding.Inst) *encoding.Part {
	b, ok := branchOps[i.Row.Kin()]
	if !ok {
		return nil
	}
	op := alu.Op{Code: alu.Code(b.op), File: [8]uint8{alu.Rest, alu.Rest}, At: [6]uintptr{placeOfPC, b.at}}
	return &encoding.Part{Ops: []alu.Op{op}, Leaves: true, Always: b.op == alu.OpLeave, By: int32(int16(i.Imm))}
}
