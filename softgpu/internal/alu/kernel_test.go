package alu

import (
	"math/rand/v2"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/stretchr/testify/require"
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
			fast, portable Kernel2
		}{
			{"add", AddU32, portableAddU32}, {"sub", SubU32, portableSubU32}, {"subrev", SubrevU32, portableSubrevU32},
			{"and", AndB32, portableAndB32}, {"or", OrB32, portableOrB32}, {"xor", XorB32, portableXorB32},
			{"mul_lo", MulLoU32, portableMulLoU32}, {"min_i32", MinI32, portableMinI32}, {"max_i32", MaxI32, portableMaxI32},
			{"min_u32", MinU32, portableMinU32}, {"max_u32", MaxU32, portableMaxU32}, {"add_f32", AddF32, portableAddF32},
			{"sub_f32", SubF32, portableSubF32}, {"subrev_f32", SubrevF32, portableSubrevF32}, {"mul_f32", MulF32, portableMulF32},
			{"permute", Permute, portablePermute}, {"permute in 32", PermuteIn32, portablePermuteIn32},
			{"min_f32", MinF32, portableMinF32}, {"max_f32", MaxF32, portableMaxF32},
			{"lshlrev", LshlrevB32, portableLshlrevB32}, {"lshrrev", LshrrevB32, portableLshrrevB32}, {"ashrrev", AshrrevI32, portableAshrrevI32},
		} {
			var want, got Lanes
			k.portable(&want, a, b)
			k.fast(&got, a, b)
			same(k.name, &want, &got)
		}
		for _, k := range []struct {
			name           string
			fast, portable Kernel3
		}{
			{"fma", FmaF32, portableFmaF32}, {"lshl_add", LshlAddU32, portableLshlAddU32}, {"lshl_or", LshlOrB32, portableLshlOrB32},
			{"add_lshl", AddLshlU32, portableAddLshlU32}, {"add3", Add3U32, portableAdd3U32}, {"and_or", AndOrB32, portableAndOrB32},
			{"or3", Or3B32, portableOr3B32},
		} {
			var want, got Lanes
			k.portable(&want, a, b, c)
			k.fast(&got, a, b, c)
			same(k.name, &want, &got)
		}
		for _, k := range []struct {
			name           string
			fast, portable Tester
		}{
			{"equal", Equal32, portableEqual32}, {"less i32", LessI32, portableLessI32}, {"less u32", LessU32, portableLessU32},
			{"less f32", LessF32, portableLessF32}, {"at most", AtMostF32, portableAtMostF32}, {"equal f32", EqualF32, portableEqualF32},
			{"unequal", UnequalF32, portableUnequalF32}, {"ordered", OrderedF32, portableOrderedF32},
		} {
			require.Equal(t, k.portable(a, b), k.fast(a, b), k.name)
			require.Equal(t, k.portable(a, a), k.fast(a, a), k.name)
		}
		for _, k := range []struct {
			name           string
			fast, portable Carrier
		}{
			{"add_co", AddCoU32, portableAddCoU32}, {"addc", AddcCoU32, portableAddcCoU32}, {"sub_co", SubCoU32, portableSubCoU32},
			{"subb", SubbCoU32, portableSubbCoU32}, {"cndmask", CndmaskB32, portableCndmaskB32},
		} {
			var want, got Lanes
			require.Equal(t, k.portable(&want, a, b, m), k.fast(&got, a, b, m), k.name)
			require.Equal(t, want, got, k.name)
		}
		var want, got Lanes
		want.portableFill(a[0])
		got.Fill(a[0])
		require.Equal(t, want, got)
		portableCvtF32I32(&want, a)
		CvtF32I32(&got, a)
		require.Equal(t, want, got)
	}
}
