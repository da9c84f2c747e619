//go:build !amd64

package gcn

// Kernels of instructions, named like them.
var (
	addU32     kernel2 = portableAddU32
	subU32     kernel2 = portableSubU32
	subrevU32  kernel2 = portableSubrevU32
	andB32     kernel2 = portableAndB32
	orB32      kernel2 = portableOrB32
	xorB32     kernel2 = portableXorB32
	mulLoU32   kernel2 = portableMulLoU32
	minI32     kernel2 = portableMinI32
	maxI32     kernel2 = portableMaxI32
	minU32     kernel2 = portableMinU32
	maxU32     kernel2 = portableMaxU32
	addF32     kernel2 = portableAddF32
	subF32     kernel2 = portableSubF32
	subrevF32  kernel2 = portableSubrevF32
	minF32     kernel2 = portableMinF32
	maxF32     kernel2 = portableMaxF32
	mulF32     kernel2 = portableMulF32
	lshlrevB32 kernel2 = portableLshlrevB32
	lshrrevB32 kernel2 = portableLshrrevB32
	ashrrevI32 kernel2 = portableAshrrevI32
	fmaF32     kernel3 = portableFmaF32
	lshlAddU32 kernel3 = portableLshlAddU32
	lshlOrB32  kernel3 = portableLshlOrB32
	addLshlU32 kernel3 = portableAddLshlU32
	add3U32    kernel3 = portableAdd3U32
	andOrB32   kernel3 = portableAndOrB32
	or3B32     kernel3 = portableOr3B32
	equal32    tester  = portableEqual32
	lessI32    tester  = portableLessI32
	lessU32    tester  = portableLessU32
	lessF32    tester  = portableLessF32
	atMostF32  tester  = portableAtMostF32
	equalF32   tester  = portableEqualF32
	unequalF32 tester  = portableUnequalF32
	orderedF32 tester  = portableOrderedF32
	addCoU32   carrier = portableAddCoU32
	addcCoU32  carrier = portableAddcCoU32
	subCoU32   carrier = portableSubCoU32
	subbCoU32  carrier = portableSubbCoU32
	cndmaskB32 carrier = portableCndmaskB32
	cvtF32I32  kernel1 = portableCvtF32I32
)

func (l *Lanes) fill(v uint32) { l.portableFill(v) }

func selectLanes(d, a, b *Lanes, m uint64) { portableCndmaskB32(d, a, b, m) }

func gatherWords(d *Lanes, addr *[64]uint64, step uint64) { portableGather(d, addr, step) }

func scatterWords(s *Lanes, addr *[64]uint64, step uint64) { portableScatter(s, addr, step) }

func spanOf(lo, hi *Lanes) (low, high uint32, shape uint8) { return portableSpan(lo, hi) }

func gatherAt(d, off *Lanes, base uint64) { portableGatherAt(d, off, base) }

func scatterAt(s, off *Lanes, base uint64) { portableScatterAt(s, off, base) }

func gatherTogether(d []Lanes, off *Lanes, base uint64) bool { return false }
