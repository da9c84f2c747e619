package profile

import (
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/watch"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Class is a class of instructions.
type Class uint8

// The classes. An instruction of RDNA that holds two is one vector instruction.
const (
	Vector Class = iota
	Matrix
	Scalar
	Branch
	VectorMemory // global, scratch, flat, buffers, images and tensors
	LDS          // and its permutes
	ScalarMemory
	Wait // s_waitcnt, s_nop, s_delay_alu, s_sleep
	Other
	numClasses
)

var classNames = [numClasses]string{"vector", "matrix", "scalar", "branch", "vector memory", "LDS", "scalar memory", "wait", "other"}

// classOf returns an instruction's class.
func classOf(i *encoding.Inst) Class {
	name := i.Row.Kin()
	switch i.Enc {
	case encoding.SOPP, encoding.SOPK, encoding.SOP1:
		switch {
		case hasPrefix(name, "s_branch", "s_cbranch", "s_setpc", "s_swappc", "s_call", "s_subvector"):
			return Branch
		case hasPrefix(name, "s_waitcnt", "s_wait_", "s_nop", "s_delay_alu", "s_sleep"):
			return Wait
		case i.Enc == encoding.SOPP || hasPrefix(name, "s_sendmsg"):
			return Other
		}
		return Scalar
	case encoding.SOP2, encoding.SOPC:
		return Scalar
	case encoding.SMEM:
		return ScalarMemory
	case encoding.DS:
		return LDS
	case encoding.FLAT, encoding.MUBUF, encoding.MTBUF, encoding.MIMG, encoding.VTENSOR:
		return VectorMemory
	case encoding.EXP:
		return Other
	}
	if i.Row.Form.Has(encoding.Matrix) {
		return Matrix
	}
	return Vector
}

func hasPrefix(name string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// site has the properties of an instruction that are known before a wave reaches it.
type site struct {
	rows   []int // number of its row in the profile; for RDNA's pairs also of the second row
	words  uint32
	lanes  bool // it has active lanes
	all    bool // all lanes of the wave are active
	places *watch.Places
	flow   flow
}

// flow describes how an instruction passes on its operands' values.
type flow struct {
	parts   []passing
	address []wave.RegisterRange
	own     kinds // added by an instruction that is approximate itself
	jumps   bool  // its target depends on its operands
	stores  bool  // it stores its operands
	loads   bool  // it loads its results
	toExec  bool
}

// passing is one half of a pair, or the whole of an instruction.
type passing struct {
	reads, writes []wave.RegisterRange
	quotient      wave.RegisterRange // of v_div_fixup: computed from reciprocals, but exact in the end
	crosses       bool               // lanes read others
	weak          bool               // a part of the old value stays
	readsSCC      bool
	writesSCC     bool
}

// site makes the site of an instruction.
func (p *Profile) site(i *encoding.Inst) *site {
	uses := watch.UsesOf(i)
	s := &site{words: uint32(i.Size) / 4, all: uses.All && i.Enc != encoding.VTENSOR, places: watch.PlacesOf(i), rows: []int{p.row(i)}}
	if i.Second != nil {
		s.rows = append(s.rows, p.row(i.Second))
	}
	switch classOf(i) {
	case Vector, Matrix, VectorMemory, LDS:
		s.lanes = i.Enc != encoding.VTENSOR
	}
	if p.modes.Fidelity {
		s.flow = p.flowOf(i)
	}
	return s
}

// flowOf is an instruction's.
func (p *Profile) flowOf(i *encoding.Inst) flow {
	var f flow
	for half := i; half != nil; half = half.Second {
		if half.Row.StandingOn(i.Chip) == encoding.Approximate {
			f.own |= p.kindOf(half.Row)
		}
		one := *half
		one.Second = nil
		f.parts = append(f.parts, passingOf(&one))
	}
	name := i.Row.Kin()
	f.jumps = classOf(i) == Branch
	f.toExec = strings.HasPrefix(name, "v_cmpx")
	memory := i.Enc == encoding.DS || i.Enc == encoding.FLAT || i.Enc == encoding.MUBUF || i.Enc == encoding.MTBUF || i.Enc == encoding.MIMG || i.Enc == encoding.SMEM
	if !memory || strings.HasPrefix(name, "ds_swizzle") {
		return f
	}
	if t, ok := watch.Touches(i); ok {
		f.loads, f.stores = t.Op != wave.Writes, t.Op != wave.Reads
	}
	data := dataOf(i, f.stores || hasPrefix(name, "ds_permute", "ds_bpermute"))
	f.parts[0].reads = nil
	for n := range i.Src {
		if data[n] {
			f.parts[0].reads = watch.AppendRegisters(f.parts[0].reads, &i.Src[n])
		} else {
			f.address = watch.AppendRegisters(f.address, &i.Src[n])
		}
	}
	return f
}

// dataOf tells which sources of a memory instruction are data and no part of an address.
func dataOf(i *encoding.Inst, has bool) (data [4]bool) {
	if !has {
		return data
	}
	switch i.Enc {
	case encoding.MUBUF, encoding.MTBUF, encoding.SMEM:
		data[0] = true
	case encoding.FLAT:
		data[1] = i.Src[1].Kind != encoding.SReg
	case encoding.DS:
		data[1], data[2] = true, true
	}
	return data
}

// passingOf is that of an instruction without a second half.
func passingOf(i *encoding.Inst) passing {
	uses := watch.UsesOf(i)
	name := i.Row.Kin()
	q := passing{
		reads: uses.Reads, writes: uses.Writes,
		crosses: i.Suffix == encoding.DPP || i.Suffix == encoding.DPP8 || i.Row.Form.Has(encoding.Matrix) ||
			strings.Contains(name, "permlane") || hasPrefix(name, "v_readlane", "v_writelane", "ds_"),
		readsSCC:  hasPrefix(name, "s_cselect", "s_cmov", "s_addc", "s_subb", "s_cbranch_scc"),
		writesSCC: writesSCC(i.Enc, name),
	}
	for n := range i.Src {
		if i.Src[n].Kind == encoding.Special && i.Src[n].Reg == srcSCC {
			q.readsSCC = true
		}
	}
	switch {
	case name == "s_cbranch_execz" || name == "s_cbranch_execnz":
		q.reads = append(q.reads, exec)
	case strings.Contains(name, "saveexec") || strings.Contains(name, "wrexec"):
		q.reads, q.writes = append(q.reads, exec), append(q.writes, exec)
	case hasPrefix(name, "v_fmac", "v_mac_", "v_pk_fmac", "v_smfmac", "v_swmmac") || strings.HasPrefix(name, "v_dot") && (strings.Contains(name, "c_") || strings.Contains(name, "acc_")):
		q.reads = watch.AppendRegisters(q.reads[:len(q.reads):len(q.reads)], &i.Dst)
	case strings.HasPrefix(name, "v_div_fixup"):
		if r := watch.AppendRegisters(nil, &i.Src[0]); r != nil {
			q.quotient = r[0]
		}
	}
	q.weak = hasPrefix(name, "v_writelane", "s_cmov", "s_bitset") || strings.Contains(name, "_d16") || strings.Contains(name, "mixlo") || strings.Contains(name, "mixhi") ||
		i.Suffix == encoding.SDWA && i.DstSel != wholeRegister || i.Suffix == encoding.DPP || i.Row.Form.Has(encoding.ByteSel) || i.OpSel&8 != 0 || halfWritten(i)
	return q
}

// halfWritten tells of RDNA's results of 16 bits, which leave the other half alone.
func halfWritten(i *encoding.Inst) bool {
	switch i.Row.Form.Dst.Type {
	case encoding.Bits16, encoding.Float16, encoding.BFloat16:
		return i.Chip.Set().Facts().Halves
	}
	return false
}

var exec = wave.RegisterRange{First: wave.ExecLo, Count: 2}

const (
	srcSCC        = 253 // operand number of SCC as a source
	wholeRegister = 6   // SDWA's selection of all of a register
)

// writesSCC reports whether a scalar instruction sets SCC. (ISA, of each instruction.)
func writesSCC(enc encoding.Encoding, name string) bool {
	switch enc {
	case encoding.SOPC:
		return true
	case encoding.SOP2:
		return !hasPrefix(name, "s_cselect", "s_bfm", "s_mul_", "s_pack", "s_fma", "s_cbranch", "s_rfe") && !strings.HasSuffix(name, "_f32") && !strings.HasSuffix(name, "_f16")
	case encoding.SOPK:
		return hasPrefix(name, "s_cmpk", "s_addk")
	case encoding.SOP1:
		return hasPrefix(name, "s_not", "s_wqm", "s_bcnt", "s_quadmask", "s_abs", "s_and", "s_or", "s_xor", "s_nand", "s_nor", "s_xnor")
	}
	return false
}
