//go:build !amd64

package alu

// Kernels of instructions, named like them.
var (
	AddU32     Kernel2 = portableAddU32
	SubU32     Kernel2 = portableSubU32
	SubrevU32  Kernel2 = portableSubrevU32
	AndB32     Kernel2 = portableAndB32
	OrB32      Kernel2 = portableOrB32
	XorB32     Kernel2 = portableXorB32
	MulLoU32   Kernel2 = portableMulLoU32
	MinI32     Kernel2 = portableMinI32
	MaxI32     Kernel2 = portableMaxI32
	MinU32     Kernel2 = portableMinU32
	MaxU32     Kernel2 = portableMaxU32
	AddF32     Kernel2 = portableAddF32
	SubF32     Kernel2 = portableSubF32
	SubrevF32  Kernel2 = portableSubrevF32
	MinF32     Kernel2 = portableMinF32
	MaxF32     Kernel2 = portableMaxF32
	MulF32     Kernel2 = portableMulF32
	LshlrevB32 Kernel2 = portableLshlrevB32
	LshrrevB32 Kernel2 = portableLshrrevB32
	AshrrevI32 Kernel2 = portableAshrrevI32
	FmaF32     Kernel3 = portableFmaF32
	LshlAddU32 Kernel3 = portableLshlAddU32
	LshlOrB32  Kernel3 = portableLshlOrB32
	AddLshlU32 Kernel3 = portableAddLshlU32
	Add3U32    Kernel3 = portableAdd3U32
	AndOrB32   Kernel3 = portableAndOrB32
	Or3B32     Kernel3 = portableOr3B32
	Equal32    Tester  = portableEqual32
	LessI32    Tester  = portableLessI32
	LessU32    Tester  = portableLessU32
	LessF32    Tester  = portableLessF32
	AtMostF32  Tester  = portableAtMostF32
	EqualF32   Tester  = portableEqualF32
	UnequalF32 Tester  = portableUnequalF32
	OrderedF32 Tester  = portableOrderedF32
	AddCoU32   Carrier = portableAddCoU32
	AddcCoU32  Carrier = portableAddcCoU32
	SubCoU32   Carrier = portableSubCoU32
	SubbCoU32  Carrier = portableSubbCoU32
	CndmaskB32 Carrier = portableCndmaskB32
	CvtF32I32  Kernel1 = portableCvtF32I32
)

// Fill gives all lanes the same value.
func (l *Lanes) Fill(v uint32) { l.portableFill(v) }

// SelectLanes takes the lanes of m from b, the others from a.
func SelectLanes(d, a, b *Lanes, m uint64) { portableCndmaskB32(d, a, b, m) }
