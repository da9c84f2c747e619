package alu

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/stretchr/testify/require"
)

// halfKernels are those that compute halves in two ways.
func halfKernels() []struct {
	name           string
	fast, portable Kernel3
} {
	return []struct {
		name           string
		fast, portable Kernel3
	}{
		{"add", asKernel3(AddF16), asKernel3(portableAddF16)}, {"sub", asKernel3(SubF16), asKernel3(portableSubF16)},
		{"subrev", asKernel3(SubrevF16), asKernel3(portableSubrevF16)}, {"mul", asKernel3(MulF16), asKernel3(portableMulF16)},
		{"min", asKernel3(MinF16), asKernel3(portableMinF16)}, {"max", asKernel3(MaxF16), asKernel3(portableMaxF16)},
		{"pk_add", asKernel3(PkAddF16), asKernel3(portablePkAddF16)}, {"pk_mul", asKernel3(PkMulF16), asKernel3(portablePkMulF16)},
		{"pk_min", asKernel3(PkMinF16), asKernel3(portablePkMinF16)}, {"pk_max", asKernel3(PkMaxF16), asKernel3(portablePkMaxF16)},
		{"fma", FmaF16, portableFmaF16}, {"pk_fma", PkFmaF16, portablePkFmaF16},
	}
}

// borderHalves are numbers of every binade with few and with many bits set, the
// borders between kinds of numbers, and NaNs.
func borderHalves() (list []uint32) {
	for e := range uint32(32) {
		for _, m := range []uint32{0, 1, 0x200, 0x3ff} {
			list = append(list, e<<10|m, 0x8000|e<<10|m)
		}
	}
	return append(list, 0x0155, 0x3d55, 0xbd55, 0x3eaa, 0x4155, 0x5555, 0xd6aa, 0x7d01, 0xfe01, 0x0401, 0x83fe)
}

// TestPairsOfBorderHalves compares all pairs of them, with a third from the list.
func TestPairsOfBorderHalves(t *testing.T) {
	list := borderHalves()
	kernels := halfKernels()
	at, third := 0, 0
	var a, b, c, want, got Lanes
	for _, x := range list {
		for _, y := range list {
			third = (third + 7) % len(list)
			a[at], b[at], c[at] = x|y<<16, y|x<<16, list[third]|list[(third*3+1)%len(list)]<<16
			if at++; at < len(a) {
				continue
			}
			at = 0
			for _, k := range kernels {
				k.portable(&want, &a, &b, &c)
				k.fast(&got, &a, &b, &c)
				if want != got {
					require.Equal(t, want, got, "%s of %#x, %#x, %#x", k.name, a, b, c)
				}
			}
		}
	}
}

// TestFastHalvesAgreeWithPortableOnes compares every kernel on halves that has
// two implementations, bit for bit.
func TestFastHalvesAgreeWithPortableOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	pairs := func(near uint32) *Lanes {
		var l Lanes
		for i := range l {
			l[i] = uint32(samples.Value(r, 'h') | samples.Value(r, 'h')<<16)
			if near != 0 { // without NaNs, close enough for sums to be ties
				l[i] = r.Uint32()&0x83ff83ff | near + uint32(r.IntN(12))*0x04000400
			}
		}
		return &l
	}
	waves := 300
	if os.Getenv("MGPU_TEST_LONG") == "1" {
		waves *= 50
	}
	for n := range waves {
		near := uint32(0)
		if n%2 == 1 {
			near = 0x20002000
		}
		a, b, c := pairs(near), pairs(near), pairs(near)
		for _, k := range halfKernels() {
			var want Lanes
			k.portable(&want, a, b, c)
			got := *b // a destination may be a source
			k.fast(&got, a, &got, c)
			for l := range want {
				require.Equal(t, want[l], got[l], "%s(%#x, %#x, %#x), got %#x", k.name, a[l], b[l], c[l], got[l])
			}
		}
		for _, k := range []struct {
			name           string
			fast, portable Tester
		}{
			{"less", LessF16, portableLessF16}, {"at most", AtMostF16, portableAtMostF16}, {"equal", EqualF16, portableEqualF16},
			{"unequal", UnequalF16, portableUnequalF16}, {"ordered", OrderedF16, portableOrderedF16},
		} {
			require.Equal(t, k.portable(a, b), k.fast(a, b), k.name)
			require.Equal(t, k.portable(a, a), k.fast(a, a), k.name)
		}
	}
}

func TestFastProductsOfHalvesAgreeWithPortableOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for n := range 1 << 11 {
		var a, b, c, want Lanes
		for l := range a {
			a[l] = uint32(samples.Value(r, 'h')) | uint32(samples.Value(r, 'h'))<<16
			b[l] = uint32(samples.Value(r, 'h')) | uint32(samples.Value(r, 'h'))<<16
			c[l] = uint32(samples.Value(r, 'f'))
			if l%4 == 0 { // a sum near zero
				c[l] = uint32(FromSingle(-Half(uint64(a[l])) * Half(uint64(b[l]))))
			}
		}
		flush, flip := [2]uint32{0, DenormalHalves}[n%2], [2]uint32{0, 1 << 31}[n/2%2]
		portableDot2F32F16(&want, &a, &b, &c, flush, flip)
		Dot2F32F16(&c, &a, &b, &c, flush, flip)
		require.Equal(t, want, c)
	}
}

// asKernel3 is k with a third source that it does not look at.
func asKernel3(k Kernel2) Kernel3 { return func(d, a, b, _ *Lanes) { k(d, a, b) } }

func TestConversionsOfHalvesAgreeWithPortableOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for n := range 1 << 10 {
		var halves, singles, want, got Lanes
		for l := range halves {
			halves[l] = uint32(n*64+l) | r.Uint32()<<16
			singles[l] = uint32(samples.Value(r, 'f'))
			if l%2 == 0 { // ties between two halves, and what is next to them
				singles[l] = uint32(FromSingle(Half(uint64(halves[l])))) + 0x1000 + uint32(r.IntN(3)) - 1
			}
		}
		portableCvtF32F16(&want, &halves)
		got = halves
		CvtF32F16(&got, &got)
		require.Equal(t, want, got)
		portableCvtF32HighF16(&want, &halves)
		got = halves
		CvtF32HighF16(&got, &got)
		require.Equal(t, want, got)
		portableCvtF16F32(&want, &singles)
		got = singles
		CvtF16F32(&got, &got)
		require.Equal(t, want, got)
	}
}

// TestProductsAndSumsNextToTheMiddleOfTwoHalves: rounded twice, they would round wrong.
func TestProductsAndSumsNextToTheMiddleOfTwoHalves(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for range 4000 {
		var a, b, c, want, got Lanes
		for l := range a {
			x := float32(r.IntN(1<<12)-1<<11) / float32(int(1)<<r.IntN(14))
			y := float32(r.IntN(1<<12)-1<<11) / float32(int(1)<<r.IntN(14))
			h := uint16(r.IntN(0x7c00))
			middle := (float64(HalfTo32(h)) + float64(HalfTo32(h+1))) / 2
			z := float32(middle - float64(x)*float64(y))
			if n := r.IntN(4); n > 0 {
				z = math.Float32frombits(math.Float32bits(z) + uint32(n) - 2)
			}
			a[l], b[l], c[l] = math.Float32bits(x), math.Float32bits(y), math.Float32bits(z)
		}
		portableFmaToF16(&want, &a, &b, &c)
		FmaToF16(&got, &a, &b, &c)
		for l := range want {
			require.Equal(t, want[l], got[l], "%v * %v + %v", Float(a[l]), Float(b[l]), Float(c[l]))
		}
	}
}
