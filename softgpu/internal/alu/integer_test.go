package alu

import (
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// eachSingle calls f with singles of every exponent and sign, more of them with
// MGPU_TEST_LONG=1, and with what is next to halves of integers and to limits.
func eachSingle(f func(a *Lanes)) {
	step := uint64(20011)
	if os.Getenv("MGPU_TEST_LONG") == "1" {
		step = 61
	}
	var a Lanes
	n := 0
	add := func(x uint32) {
		if a[n] = x; n == len(a)-1 {
			f(&a)
		}
		n = (n + 1) % len(a)
	}
	for x := uint64(0); x < 1<<32; x += step {
		add(uint32(x))
	}
	for _, x := range []float64{0, 1.0 / math.MaxInt16, 1.0 / math.MaxUint16, 1, 255, 1 << 23, 1 << 31, 1 << 32, math.MaxFloat32, math.Inf(1)} {
		for half := range 512 {
			at := math.Float32bits(float32(x * (1 + float64(half)/2)))
			for _, x := range []uint32{at - 1, at, at + 1} {
				add(x)
				add(x | 1<<31)
			}
		}
	}
	for range a {
		add(0xff<<23 + 1) // a NaN
	}
}

func TestSinglesToIntegersAgree(t *testing.T) {
	of := func(f func(x float64) uint64) func(a, b uint32) uint32 {
		return func(a, _ uint32) uint32 { return uint32(f(Single(uint64(a)))) }
	}
	pairOf := func(f func(x float64) uint64) func(a, b uint32) uint32 {
		return func(a, b uint32) uint32 { return uint32(f(Single(uint64(a))) | f(Single(uint64(b)))<<16) }
	}
	c, at := LanesOf(0xdeadbeef), Lanes{}
	for l := range at {
		at[l] = uint32(l) * 0x55
	}
	for _, k := range []struct {
		name string
		k    TempKernel3
		want func(a, b uint32) uint32
	}{
		{"i32", alone(CvtI32F32), of(toI32)},
		{"u32", alone(CvtU32F32), of(toU32)},
		{"flr_i32", alone(CvtFlrI32F32), of(func(x float64) uint64 { return toI32(math.Floor(x)) })},
		{"rpi_i32", CvtRpiI32F32, of(func(x float64) uint64 { return toI32(math.Floor(x + 0.5)) })},
		{"pknorm_i16", CvtPknormF32(NormLanesI16), pairOf(normI16)},
		{"pknorm_u16", CvtPknormF32(NormLanesU16), pairOf(normU16)},
	} {
		var temp [4]Pair
		var b, d Lanes
		eachSingle(func(a *Lanes) {
			k.k(&temp, &d, a, &b, nil)
			for l := range d {
				if want := k.want(a[l], b[l]); d[l] != want {
					t.Fatalf("%s of %v (%#x), %v = %#x, want %#x", k.name, Float(a[l]), a[l], Float(b[l]), d[l], want)
				}
			}
			b = *a
		})
	}
	var temp [4]Pair
	var d Lanes
	eachSingle(func(a *Lanes) {
		CvtPkU8F32(&temp, &d, a, &at, &c)
		for l, x := range a {
			shift := at[l] & 3 * 8
			want := c[l]&^(0xff<<shift) | uint32(min(toU32(math.RoundToEven(Single(uint64(x)))), 255))<<shift
			if d[l] != want {
				t.Fatalf("pk_u8 of %v (%#x) = %#x, want %#x", Float(x), x, d[l], want)
			}
		}
	})
}

func alone(k Kernel1) TempKernel3 {
	return func(_ *[4]Pair, d, a, _, _ *Lanes) { k(d, a) }
}

func TestDoublesToIntegersAgree(t *testing.T) {
	var al, ah, d, none Lanes
	for _, x := range []float64{0, 1, 1 << 31, 1<<31 - 1, 1 << 32, 1<<32 - 1, 1 << 52, math.MaxFloat64, math.Inf(1), math.NaN(), math.SmallestNonzeroFloat64} {
		for l := range d {
			bits := math.Float64bits(x+float64(l/2-16)/4) ^ uint64(l&1)<<63
			al[l], ah[l] = uint32(bits), uint32(bits>>32)
		}
		for _, k := range []struct {
			k    WideKernel1
			want func(float64) uint64
		}{{CvtI32F64, toI32}, {CvtU32F64, toU32}} {
			k.k(&d, &none, &al, &ah)
			for l := range d {
				a := Double(Join(al[l], ah[l]))
				require.Equal(t, uint32(k.want(a)), d[l], "%v", a)
			}
		}
	}
}
