package alu

import (
	"reflect"
	"sync"
)

// RunOps carries out ops, up to the one that ends the run, a branch that leaves it, or one that does
// not do all that its instruction does and can't do this: it returns that one's address.
//
//go:noescape
func RunOps(ops *Op, files *Files) (stopped uintptr)

// RunWaves executes a route for one wave after the other, each with its files, and ends with the first wave that leaves
// the route. done is the number of waves before that one, leg the leg in which it stopped, and stopped what RunOps
// returned there, or RunNotBegun. repeated is the sum of what the waves took from their budgets.
//
//go:noescape
func RunWaves(r *Route, files *Files, waves int) (done, leg int, stopped uintptr, repeated int)

//go:noescape
func opCodes(codes *[opCount]uintptr)

// HasRuns reports whether this processor has the ops.
var HasRuns = HasAVX2

//go:noescape
func nearCodes(near, mixed *[nearCount]uintptr)

// nearCode is where an op begins that finds vector operands without their files: all of them, or all but the first
// source.
type nearCode struct {
	near, mixed uintptr
	vectors     int // a bit for each operand that may be a vector register
}

// nearOps are by the address of the op that finds operands in any file.
var nearOps = sync.OnceValue(func() map[uintptr]nearCode {
	all := map[uintptr]nearCode{}
	if HasAVX2 {
		var near, mixed [nearCount]uintptr
		nearCodes(&near, &mixed)
		for n := range near {
			all[Code(OpMove+n)] = nearCode{near[n], mixed[n], vectorOperands(OpMove + n)}
		}
	}
	return all
})

// vectorOperands has a bit for each operand of an op that may be a vector register.
func vectorOperands(op int) int {
	const two, three, four, sources = 1 | 2, 1 | 2 | 4, 1 | 2 | 4 | 8, 2 | 4
	switch {
	case op == OpStoreLDS2:
		return three
	case op <= opCvtF32I32, op >= OpLoadLDS:
		return two
	case op >= opFmaF32 && op <= opOr3B32, op >= opFmaF64 && op <= opMadI64I32:
		return four
	case op >= opEqual32 && op <= opOrderedF32, op >= opEqual64 && op <= opOrderedF64:
		return sources
	}
	return three
}

// Nearer returns the op that does the same as op with less work to find its operands, if they are vector registers.
func Nearer(op Op) Op {
	n, ok := nearOps()[op.Code]
	if !ok {
		return op
	}
	elsewhere := 0
	for k, file := range op.File {
		if n.vectors>>k&1 != 0 && file != Vectors {
			elsewhere |= 1 << k
		}
	}
	switch elsewhere {
	case 0:
		op.Code = n.near
	case 1 << 1:
		op.Code = n.mixed
	}
	return op
}

// spread are ops whose first source may be a number that is the same for all lanes, in the order of spreadCodes.
var spread = [...]int{
	opAddU32,
	opSubU32,
	opSubrevU32,
	opAndB32,
	opOrB32,
	opXorB32,
	opMulLoU32,
	opAddF32,
	opSubF32,
	opSubrevF32,
	opMulF32,
	opLshlrevB32,
	opLshrrevB32,
	opAshrrevI32,
	opFmaF32,
	opLshlAddU32,
	opAdd3U32,
	opAndOrB32,
	opEqual32,
	opLessI32,
	opLessU32,
	opLessF32,
	opAtMostF32,
	opEqualF32,
	opUnequalF32,
	OpSelect,
	opAddCoU32,
	opAddcCoU32,
	opSubCoU32,
	opSubbCoU32,
	opMadU64U32,
	opMadI64I32,
}

const spreadCount = len(spread)

//go:noescape
func spreadCodes(codes *[spreadCount]uintptr)

// spreadOps are where these begin, by the address of the op that finds operands in any file.
var spreadOps = sync.OnceValue(func() map[uintptr]uintptr {
	all := map[uintptr]uintptr{}
	if HasAVX2 {
		var at [spreadCount]uintptr
		spreadCodes(&at)
		for n, op := range spread {
			all[Code(op)] = at[n]
		}
	}
	return all
})

// Spread returns the op that does the same as fill, which makes op's first source, and op. ok is false if there is none.
func Spread(fill, op Op) (both Op, ok bool) {
	code, ok := spreadOps()[op.Code]
	if !ok || fill.Code != Code(OpFill) || fill.File[0] != Rest || op.File[1] != Rest || op.At[1] != fill.At[0] ||
		Nearer(op).Code != nearOps()[op.Code].mixed {
		return op, false
	}
	op.Code, op.File[1], op.At[1], op.At[5] = code, fill.File[1], fill.At[1], fill.At[0]
	return op, true
}

// codes are where the ops begin.
var codes = sync.OnceValue(func() (all [opCount]uintptr) {
	if HasAVX2 {
		opCodes(&all)
	}
	return all
})

// opsOfKernels are the ops that are equal to whole-wave kernels, by the kernel's address.
var opsOfKernels = sync.OnceValue(func() map[uintptr]int {
	all := map[uintptr]int{}
	for op, k := range map[int]any{
		opCvtF32I32:  avxCvtF32I32,
		opAddU32:     avxAddU32,
		opSubU32:     avxSubU32,
		opSubrevU32:  avxSubrevU32,
		opAndB32:     avxAndB32,
		opOrB32:      avxOrB32,
		opXorB32:     avxXorB32,
		opMulLoU32:   avxMulLoU32,
		opMinI32:     avxMinI32,
		opMaxI32:     avxMaxI32,
		opMinU32:     avxMinU32,
		opMaxU32:     avxMaxU32,
		opAddF32:     avxAddF32,
		opSubF32:     avxSubF32,
		opSubrevF32:  avxSubrevF32,
		opMulF32:     avxMulF32,
		opLshlrevB32: avxLshlrevB32,
		opLshrrevB32: avxLshrrevB32,
		opAshrrevI32: avxAshrrevI32,
		opFmaF32:     avxFmaF32,
		opLshlAddU32: avxLshlAddU32,
		opLshlOrB32:  avxLshlOrB32,
		opAddLshlU32: avxAddLshlU32,
		opAdd3U32:    avxAdd3U32,
		opAndOrB32:   avxAndOrB32,
		opOr3B32:     avxOr3B32,
		opEqual32:    avxEqual32,
		opLessI32:    avxLessI32,
		opLessU32:    avxLessU32,
		opLessF32:    avxLessF32,
		opAtMostF32:  avxAtMostF32,
		opEqualF32:   avxEqualF32,
		opUnequalF32: avxUnequalF32,
		opOrderedF32: avxOrderedF32,
		opAddCoU32:   avxAddCoU32,
		opAddcCoU32:  avxAddcCoU32,
		opSubCoU32:   avxSubCoU32,
		opSubbCoU32:  avxSubbCoU32,
		opLshlrevB64: avxLshlrevB64,
		opLshrrevB64: avxLshrrevB64,
		opAshrrevI64: avxAshrrevI64,
		opAddF64:     avxAddF64,
		opMulF64:     avxMulF64,
		opFmaF64:     avxFmaF64,
		opMadU64U32:  avxMadU64U32,
		opMadI64I32:  avxMadI64I32,
		opEqual64:    avxEqual64,
		opLessU64:    avxLessU64,
		opLessI64:    avxLessI64,
		opLessF64:    avxLessF64,
		opAtMostF64:  avxAtMostF64,
		opEqualF64:   avxEqualF64,
		opUnequalF64: avxUnequalF64,
		opOrderedF64: avxOrderedF64,
		opMinF32:     avxMinF32,
		opMaxF32:     avxMaxF32,
		OpSelect:     avxCndmaskB32,
		opDot2F32F16: avxDot2F32F16,
	} {
		all[reflect.ValueOf(k).Pointer()] = op
	}
	return all
})

// Code is where the op with a number begins.
func Code(op int) uintptr { return codes()[op] }

// OpOfKernel returns the op that is equal to k, a kernel on whole waves. Its code is 0 if there is none.
func OpOfKernel(k any) (op Op) {
	at := reflect.ValueOf(k).Pointer()
	if n, ok := opsOfKernels()[at]; ok {
		op.Code = codes()[n]
	} else if c, ok := callsOfKernels()[at]; ok {
		op.Code, op.At[5] = codes()[OpCall1+c.sources-1], c.at
	}
	return op
}

// call is the address of a kernel that an op calls, and its number of sources.
type call struct {
	at      uintptr
	sources int
}

// called are kernels without ops of their own, in the order of calledCodes. They need nothing but the
// instruction's operands, and keep R12 and R13.
var called = [...]struct {
	kernel  any
	sources int
}{
	{avxRndneF32, 1},
	{avxFloorF32, 1},
	{avxCeilF32, 1},
	{avxTruncF32, 1},
	{avxFractF32, 1},
	{avxRcpF32, 1},
	{avxSqrtF32, 1},
	{avxRsqF32, 1},
	{avxExpF32, 1},
	{avxCvtF32F16, 1},
	{avxCvtF32HighF16, 1},
	{avxCvtF16F32, 1},
	{avxAddF16, 2},
	{avxSubF16, 2},
	{avxSubrevF16, 2},
	{avxMulF16, 2},
	{avxPkAddF16, 2},
	{avxPkMulF16, 2},
	{avxLdexpF32, 2},
	{avxPkMinI16, 2},
	{avxPkMaxI16, 2},
	{avxCvtPkF16F32, 2},
	{avxCvtPkrtzF16F32, 2},
	{avxCvtPkBf16F32, 2},
	{avxFmaF16, 3},
	{avxPkFmaF16, 3},
	{avxPkMad16, 3},
	{avxDot2I32, 3},
	{avxDot2U32, 3},
	{avxDot4I32, 3},
	{avxDot4U32, 3},
	{avxDot8I32, 3},
	{avxDot8U32, 3},
	{avxSadU8, 3},
	{avxSadHiU8, 3},
	{avxMsadU8, 3},
	{avxSadU16, 3},
	{avxLerpU8, 3},
}

//go:noescape
func calledCodes(codes *[38]uintptr)

// callsOfKernels are the called kernels by their addresses in Go, where they have other parameters than in assembly.
var callsOfKernels = sync.OnceValue(func() map[uintptr]call {
	all := map[uintptr]call{}
	if HasAVX2 {
		var codes [len(called)]uintptr
		calledCodes(&codes)
		for n, k := range called {
			all[reflect.ValueOf(k.kernel).Pointer()] = call{codes[n], k.sources}
		}
	}
	return all
})
