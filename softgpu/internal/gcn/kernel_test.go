package gcn

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
)

// TestFastKernelsAgreeWithPortableOnes compares every kernel that has two implementations.
func TestFastKernelsAgreeWithPortableOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	lanes := func() *Lanes {
		var l Lanes
		for i := range l {
			l[i] = uint32(samples.Value(r, 'f'))
		}
		return &l
	}
	same := func(name string, want, got *Lanes) {
		for i := range want {
			if want[i] != got[i] {
				require.Equal(t, want[i], got[i], "%s lane %d", name, i)
			}
		}
	}
	for round := 0; round < 200; round++ {
		a, b, c, m := lanes(), lanes(), lanes(), r.Uint64()
		if round%2 == 0 {
			for i := range a { // no NaNs
				a[i], b[i] = a[i]&^(1<<30), b[i]&^(1<<30)
			}
			a[0], b[0], a[1], b[1] = 0, 1<<31, 1<<31, 0
		}
		for _, k := range []struct {
			name           string
			fast, portable kernel2
		}{
			{"add", addU32, portableAddU32}, {"sub", subU32, portableSubU32}, {"subrev", subrevU32, portableSubrevU32},
			{"and", andB32, portableAndB32}, {"or", orB32, portableOrB32}, {"xor", xorB32, portableXorB32},
			{"mul_lo", mulLoU32, portableMulLoU32}, {"min_i32", minI32, portableMinI32}, {"max_i32", maxI32, portableMaxI32},
			{"min_u32", minU32, portableMinU32}, {"max_u32", maxU32, portableMaxU32}, {"add_f32", addF32, portableAddF32},
			{"sub_f32", subF32, portableSubF32}, {"subrev_f32", subrevF32, portableSubrevF32}, {"mul_f32", mulF32, portableMulF32},
			{"min_f32", minF32, portableMinF32}, {"max_f32", maxF32, portableMaxF32},
			{"lshlrev", lshlrevB32, portableLshlrevB32}, {"lshrrev", lshrrevB32, portableLshrrevB32}, {"ashrrev", ashrrevI32, portableAshrrevI32},
		} {
			var want, got Lanes
			k.portable(&want, a, b)
			k.fast(&got, a, b)
			same(k.name, &want, &got)
		}
		for _, k := range []struct {
			name           string
			fast, portable kernel3
		}{
			{"fma", fmaF32, portableFmaF32}, {"lshl_add", lshlAddU32, portableLshlAddU32}, {"lshl_or", lshlOrB32, portableLshlOrB32},
			{"add_lshl", addLshlU32, portableAddLshlU32}, {"add3", add3U32, portableAdd3U32}, {"and_or", andOrB32, portableAndOrB32},
			{"or3", or3B32, portableOr3B32},
		} {
			var want, got Lanes
			k.portable(&want, a, b, c)
			k.fast(&got, a, b, c)
			same(k.name, &want, &got)
		}
		for _, k := range []struct {
			name           string
			fast, portable tester
		}{
			{"equal", equal32, portableEqual32}, {"less i32", lessI32, portableLessI32}, {"less u32", lessU32, portableLessU32},
			{"less f32", lessF32, portableLessF32}, {"at most", atMostF32, portableAtMostF32}, {"equal f32", equalF32, portableEqualF32},
			{"unequal", unequalF32, portableUnequalF32}, {"ordered", orderedF32, portableOrderedF32},
		} {
			require.Equal(t, k.portable(a, b), k.fast(a, b), k.name)
			require.Equal(t, k.portable(a, a), k.fast(a, a), k.name)
		}
		for _, k := range []struct {
			name           string
			fast, portable carrier
		}{
			{"add_co", addCoU32, portableAddCoU32}, {"addc", addcCoU32, portableAddcCoU32}, {"sub_co", subCoU32, portableSubCoU32},
			{"subb", subbCoU32, portableSubbCoU32}, {"cndmask", cndmaskB32, portableCndmaskB32},
		} {
			var want, got Lanes
			require.Equal(t, k.portable(&want, a, b, m), k.fast(&got, a, b, m), k.name)
			require.Equal(t, want, got, k.name)
		}
		var want, got Lanes
		want.portableFill(a[0])
		got.fill(a[0])
		require.Equal(t, want, got)
		portableCvtF32I32(&want, a)
		cvtF32I32(&got, a)
		require.Equal(t, want, got)
	}
}
