package alu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/stretchr/testify/require"
)

// TestFastPartsAgreeWithPortableOnes compares kernels on parts of lanes, in place, with
// extreme parts and random ones.
func TestFastPartsAgreeWithPortableOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	parts := []uint32{0, 0xff, 0x80, 0x7f, 1, 0x88, 0x77, 0x8, 0xf0}
	lanes := func() *Lanes {
		x := new(Lanes)
		for l := range x {
			if x[l] = r.Uint32(); r.IntN(3) == 0 {
				x[l] = 0
				for at := 0; at < 32; at += 8 {
					x[l] |= parts[r.IntN(len(parts))] << at
				}
			}
		}
		return x
	}
	table := [8]uint32{}
	for range 400 {
		a, b, c := lanes(), lanes(), lanes()
		selectors := new(Lanes)
		most := []int{13, 8, 256}[r.IntN(3)]
		for l := range selectors {
			for at := 0; at < 32; at += 8 {
				n := uint32(r.IntN(most))
				if n > 7 && most == 13 {
					n = 12
				}
				selectors[l] |= n << at
			}
		}
		for n := range table {
			table[n] = -r.Uint32N(2)
		}
		floats, _ := samples.StrangeLanes[Lanes](r, 'f')
		more, _ := samples.StrangeLanes[Lanes](r, 'f')
		for _, k := range []struct {
			name           string
			fast, portable Kernel3
			a, b, c        *Lanes
		}{
			{"dot2_i32", Dot2I32, portableDot2I32, a, b, c}, {"dot2_u32", Dot2U32, portableDot2U32, a, b, c},
			{"dot4_i32", Dot4I32, portableDot4I32, a, b, c}, {"dot4_u32", Dot4U32, portableDot4U32, a, b, c},
			{"dot8_i32", Dot8I32, portableDot8I32, a, b, c}, {"dot8_u32", Dot8U32, portableDot8U32, a, b, c},
			{"sad_u8", SadU8, portableSadU8, a, b, c}, {"sad_hi_u8", SadHiU8, portableSadHiU8, a, b, c},
			{"msad_u8", MsadU8, portableMsadU8, a, b, c}, {"sad_u16", SadU16, portableSadU16, a, b, c},
			{"pk_min_i16", asKernel3(PkMinI16), asKernel3(portablePkMinI16), a, b, c},
			{"pk_max_i16", asKernel3(PkMaxI16), asKernel3(portablePkMaxI16), a, b, c}, {"pk_mad_u16", PkMad16, portablePkMad16, a, b, c},
			{"lerp_u8", LerpU8, portableLerpU8, a, b, c}, {"perm_b32", PermB32, portablePermB32, a, b, selectors},
			{"cvt_pk_f16_f32", asKernel3(CvtPkF16F32), asKernel3(portableCvtPkF16F32), floats, more, c},
			{"cvt_pkrtz_f16_f32", asKernel3(CvtPkrtzF16F32), asKernel3(portableCvtPkrtzF16F32), floats, more, c},
			{"cvt_pk_bf16_f32", asKernel3(CvtPkBf16F32), asKernel3(portableCvtPkBf16F32), floats, more, c},
			{"bitop3", func(d, a, b, c *Lanes) { bitTable(d, a, b, c, &table) }, func(d, a, b, c *Lanes) { portableBitTable(d, a, b, c, &table) }, a, b, c},
		} {
			var want Lanes
			k.portable(&want, k.a, k.b, k.c)
			for n, in := range []*Lanes{k.a, k.b, k.c} {
				x := [3]Lanes{*k.a, *k.b, *k.c}
				k.fast(&x[n], &x[0], &x[1], &x[2])
				for l := range want {
					if x[n][l] != want[l] {
						require.Equal(t, want[l], x[n][l], "%s(%#x, %#x, %#x) into source %d, %#x", k.name, k.a[l], k.b[l], k.c[l], n, in[l])
					}
				}
			}
		}
	}
}

// TestSinglesToSmallFormatsAgree compares the kernels' results for arguments of every
// exponent, more of them with MGPU_TEST_LONG=1, and those at random with the format's own.
func TestSinglesToSmallFormatsAgree(t *testing.T) {
	step := uint32(4099)
	if os.Getenv("MGPU_TEST_LONG") == "1" {
		step = 61
	}
	for _, f := range []*SmallFormat{&FnuzE4M3, &FnuzE5M2, &OcpE4M3, &OcpE5M2, &OcpE2M3, &OcpE3M2, &OcpE2M1, &SmallF16, &Bfloat16} {
		t.Run(fmt.Sprint(*f), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(f.Bits()), 33))
			codes := [2]*SmallCode{f.Code(false), f.Code(true)}
			var v, random, want, got Lanes
			for x := uint64(0); x < 1<<32; {
				for l := range v {
					v[l], random[l] = uint32(x), r.Uint32()
					x += uint64(step)
				}
				for _, c := range codes {
					if f.Bits() <= 8 {
						portableToSmall(&want, &v, &v, c)
						ToSmall(&got, &v, &v, c)
						for l := range want {
							if got[l] != want[l] {
								t.Fatalf("%v (%#x) = %#x, want %#x; saturate %v", Float(v[l]), v[l], got[l], want[l], c.rounding.Saturate)
							}
						}
					}
					AtRandom(&got, &v, &v, &random, c)
					portableAtRandom(&want, &v, &v, &random, c)
					for l := range v {
						if of := f.of(v[l], SmallRounding{true, random[l], c.rounding.Saturate}); got[l] != of || want[l] != of {
							t.Fatalf("%v (%#x) at random %#x = %#x, portable %#x, want %#x; saturate %v", Float(v[l]), v[l], random[l], got[l], want[l], of, c.rounding.Saturate)
						}
					}
				}
			}
		})
	}
	var scales, want, got Lanes
	for e := range uint32(256) {
		scales[e%64] = e<<23 | 1<<31 | e
		for _, top := range []uint32{0, 254 << 23} {
			portableScalePowers(&want, &scales, top)
			ScalePowers(&got, &scales, top)
			require.Equal(t, want, got)
			by := math.Float32bits(float32(ScaleFactor(scales[e%64])))
			if top != 0 && e != 0xff {
				by = math.Float32bits(float32(1 / ScaleFactor(scales[e%64])))
			}
			require.Equal(t, by, got[e%64])
		}
	}
}

// TestSinglesOfSmallFormatsAgree compares the kernels' results for all numbers, where
// they may start, and all scales.
func TestSinglesOfSmallFormatsAgree(t *testing.T) {
	var x, by, got, want Lanes
	for _, f := range []*SmallFormat{&OcpE4M3, &OcpE5M2, &OcpE2M3, &OcpE3M2, &OcpE2M1} {
		v := f.Values()
		for n := range uint32(256 * 256) {
			l := n % 64
			x[l], by[l] = (n&0xff)<<(n>>6%24)|n<<25, n>>8<<23
			if by[l] == 0xff<<23 {
				by[l] = NanF32
			}
			if l != 63 {
				continue
			}
			for shift := range uint32(25) {
				portableFromSmall(&want, &x, &by, v, shift)
				FromSmall(&got, &x, &by, v, shift)
				for l := range want {
					of := x[l] >> shift & (1<<f.Bits() - 1)
					product := uint32(FromSingle(float32(f.Value(of) * float64(Float(by[l])))))
					if IsNaN32(product) {
						product = nanLike(of << (32 - f.Bits()))
					}
					if got[l] != product || want[l] != product {
						t.Fatalf("%v: %#x from bit %d times %v = %#x, portable %#x, want %#x", *f, x[l], shift, Float(by[l]), got[l], want[l], product)
					}
				}
			}
		}
	}
}

func TestRandomNumbersAgree(t *testing.T) {
	x, want, got := LanesOf(1<<31), Lanes{}, Lanes{}
	for l := range x {
		x[l] ^= 0x9e3779b9 * uint32(l)
	}
	portablePrngB32(&want, &x)
	PrngB32(&got, &x)
	require.Equal(t, want, got)
}
