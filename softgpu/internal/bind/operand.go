package bind

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Source numbers of constants.
const (
	codeFloats   = 240
	codeInv2Pi   = 248
	CodeLiteral  = 255
	codeVccz     = 251
	codeExecz    = 252
	codeScc      = 253
	CodeShared   = 235
	codeSharedL  = 236
	codePrivate  = 237
	codePrivateL = 238
)

// constant returns the bits that a constant operand has when read as kind k.
func constant(o *encoding.Operand, k alu.Kind) uint64 {
	v := o.Value
	if o.Code == encoding.SrcLiteral64 {
		return uint64(v) | uint64(o.High)<<32
	}
	if o.Code >= codeFloats && o.Code <= codeInv2Pi {
		switch {
		case k.Wide() && o.Code == codeInv2Pi:
			return 0x3fc45f306dc9c882
		case k.Wide():
			return math.Float64bits(float64(math.Float32frombits(v)))
		case k == alu.Bf16 || k == alu.Pbf16:
			return uint64(v >> 16)
		case k.Short() || k == alu.Pf16:
			return uint64(alu.HalfFrom64(float64(math.Float32frombits(v))))
		}
		return uint64(v)
	}
	literal := o.Code == CodeLiteral
	switch {
	case k == alu.F64 && literal:
		return uint64(v) << 32
	case k == alu.U64 && literal:
		return uint64(v)
	case k.Wide():
		return uint64(int64(int32(v)))
	case k.Short():
		return uint64(uint16(v))
	}
	return uint64(v)
}

// scalar is a bound operand that is the same for all lanes.
type scalar struct {
	from encoding.OperandKind // NoOperand for constants
	reg  uint8
	code uint16
	bits uint64
}

func bindScalar(o *encoding.Operand, k alu.Kind) scalar {
	switch o.Kind {
	case encoding.SReg:
		return scalar{from: encoding.SReg, reg: uint8(o.Reg & wave.AllScalars)}
	case encoding.Special:
		return scalar{from: encoding.Special, code: o.Reg}
	case encoding.Const:
		return scalar{bits: constant(o, k)}
	}
	return scalar{}
}

// U32 returns the operand's low word.
func (s *scalar) U32(w *wave.Wave) uint32 {
	switch s.from {
	case encoding.SReg:
		return w.S[s.reg&wave.AllScalars]
	case encoding.Special:
		return uint32(special(w, s.code))
	}
	return uint32(s.bits)
}

func (s *scalar) u64(w *wave.Wave) uint64 {
	switch s.from {
	case encoding.SReg:
		return w.S64(int(s.reg))
	case encoding.Special:
		return special(w, s.code)
	}
	return s.bits
}

// Readable reports whether special has a value for the source number.
func Readable(code uint16) bool {
	switch code {
	case CodeShared, codeSharedL, codePrivate, codePrivateL, codeVccz, codeExecz, codeScc, encoding.SrcFlatScratchLo, encoding.SrcFlatScratchHi:
		return true
	}
	return false
}

func special(w *wave.Wave, code uint16) uint64 {
	var is bool
	switch code {
	case CodeShared:
		return w.SharedBase
	case encoding.SrcFlatScratchLo:
		return w.FlatScratchBase()
	case encoding.SrcFlatScratchHi:
		return w.FlatScratchBase() >> 32
	case codePrivate:
		return w.PrivateBase
	case codeSharedL:
		return w.SharedBase | math.MaxUint32
	case codePrivateL:
		return w.PrivateBase | math.MaxUint32
	case codeVccz:
		is = w.Vcc() == 0
	case codeExecz:
		is = w.Exec() == 0
	case codeScc:
		is = w.SCC != 0
	}
	if is {
		return 1
	}
	return 0
}
