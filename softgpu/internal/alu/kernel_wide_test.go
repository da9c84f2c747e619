package alu

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/stretchr/testify/require"
)

func sameNumber(letter byte, a, b uint64) bool {
	return a == b || samples.IsNaN(letter, a) && samples.IsNaN(letter, b)
}

// TestFastWideKernelsAgreeWithPortableOnes compares every kernel on 64-bit
// operands that has two implementations, destinations being sources as well.
func TestFastWideKernelsAgreeWithPortableOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	for range 300 {
		for _, k := range []struct {
			name           string
			letters        string
			fast, portable WideKernel
		}{
			{"lshlrev_b64", "iII", LshlrevB64, portableLshlrevB64}, {"lshrrev_b64", "iII", LshrrevB64, portableLshrrevB64},
			{"ashrrev_i64", "iII", AshrrevI64, portableAshrrevI64}, {"add_f64", "FFF", AddF64, portableAddF64},
			{"mul_f64", "FFF", MulF64, portableMulF64}, {"fma_f64", "FFF", FmaF64, portableFmaF64},
		} {
			al, ah := samples.Lanes[Lanes](r, k.letters[0])
			bl, bh := samples.Lanes[Lanes](r, k.letters[1])
			cl, ch := samples.Lanes[Lanes](r, k.letters[2])
			if k.letters[0] == 'i' {
				for i := range al {
					al[i] = al[i]&^63 | uint32(r.IntN(64))
				}
				al[0], al[1], al[2], al[3] = 0, 31, 32, 63
			}
			var wl, wh Lanes
			k.portable(&wl, &wh, &al, &ah, &bl, &bh, &cl, &ch)
			x, y := bh, bl // over the other half of a source
			k.fast(&y, &x, &al, &ah, &y, &x, &cl, &ch)
			for i := range wl {
				want, got := Join(wl[i], wh[i]), Join(y[i], x[i])
				require.True(t, sameNumber(k.letters[1], want, got), "%s lane %d: %#x, want %#x", k.name, i, got, want)
			}
			y, x = bl, bh
			k.fast(&x, &y, &al, &ah, &y, &x, &cl, &ch)
			for i := range wl {
				require.True(t, sameNumber(k.letters[1], Join(wl[i], wh[i]), Join(x[i], y[i])), "%s crosswise, lane %d", k.name, i)
			}
		}
		for _, k := range []struct {
			name           string
			letter         byte
			fast, portable WideTester
		}{
			{"equal", 'I', Equal64, portableEqual64}, {"less u64", 'I', LessU64, portableLessU64}, {"less i64", 'I', LessI64, portableLessI64},
			{"less f64", 'F', LessF64, portableLessF64}, {"at most", 'F', AtMostF64, portableAtMostF64},
			{"equal f64", 'F', EqualF64, portableEqualF64}, {"unequal", 'F', UnequalF64, portableUnequalF64},
			{"ordered", 'F', OrderedF64, portableOrderedF64},
		} {
			al, ah := samples.Lanes[Lanes](r, k.letter)
			bl, bh := samples.Lanes[Lanes](r, k.letter)
			for i := range 32 {
				ah[i] = bh[i] // only the low words differ, or nothing
				if i%2 == 0 {
					al[i] = bl[i]
				}
			}
			require.Equal(t, k.portable(&al, &ah, &bl, &bh), k.fast(&al, &ah, &bl, &bh), k.name)
		}
		for _, k := range []struct {
			name           string
			fast, portable WideCarrier
		}{{"mad_u64_u32", MadU64U32, portableMadU64U32}, {"mad_i64_i32", MadI64I32, portableMadI64I32}} {
			a, _ := samples.Lanes[Lanes](r, 'i')
			b, _ := samples.Lanes[Lanes](r, 'i')
			cl, ch := samples.Lanes[Lanes](r, 'I')
			var wl, wh, gl, gh Lanes
			require.Equal(t, k.portable(&wl, &wh, &a, &b, &cl, &ch), k.fast(&gl, &gh, &a, &b, &cl, &ch), k.name)
			require.Equal(t, [2]Lanes{wl, wh}, [2]Lanes{gl, gh}, k.name)
		}
	}
}

func TestFastSinglesAgreeWithPortableOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	for range 300 {
		a, _ := samples.Lanes[Lanes](r, 'f')
		b, _ := samples.Lanes[Lanes](r, 's')
		for _, k := range []struct {
			name           string
			fast, portable Kernel1
		}{
			{"rndne", RndneF32, portableRndneF32}, {"floor", FloorF32, portableFloorF32}, {"ceil", CeilF32, portableCeilF32},
			{"trunc", TruncF32, portableTruncF32}, {"fract", FractF32, portableFractF32}, {"rcp", RcpF32, portableRcpF32},
			{"sqrt", SqrtF32, portableSqrtF32}, {"rsq", RsqF32, portableRsqF32}, {"exp", ExpF32, portableExpF32},
			{"log", LogF32, portableLogF32}, {"sin", SinF32, portableSinF32}, {"cos", CosF32, portableCosF32},
			{"sign", func(d, a *Lanes) { *d = *a; AlterBits(d, 1<<31, b[0]) }, func(d, a *Lanes) { *d = *a; portableAlterBits(d, 1<<31, b[0]) }},
			{"ldexp", func(d, a *Lanes) { LdexpF32(d, a, &b) }, func(d, a *Lanes) { portableLdexpF32(d, a, &b) }},
		} {
			var want Lanes
			k.portable(&want, &a)
			got := a
			k.fast(&got, &got)
			for i := range want {
				require.True(t, sameNumber('f', uint64(want[i]), uint64(got[i])), "%s(%#x) = %#x, want %#x", k.name, a[i], got[i], want[i])
			}
		}
	}
}

// TestPlainDivisionsAreThoseThatNeedNothing holds the rule for whole waves to
// the one for lanes.
func TestPlainDivisionsAreThoseThatNeedNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for n := range 20000 {
		x, y, z := uint32(samples.Value(r, 'f')), uint32(samples.Value(r, 'f')), uint32(samples.Value(r, 'f'))
		var num, den, quo, got, want Lanes
		num.Fill(0x3f800000)
		den.Fill(0x40000000)
		quo.Fill(0x3f000000)
		at := n % 64
		num[at], den[at], quo[at] = x, y, z
		plain := PlainDivision(&num, &den, &Divisions32)
		require.Equal(t, portablePlainDivision(&num, &den, &Divisions32), plain, "%#x / %#x", x, y)
		if plain {
			for _, v := range []uint32{x, y} {
				power, nan, post := Scaling32.scale(uint64(v), uint64(y), uint64(x))
				require.Equal(t, [3]any{0, false, false}, [3]any{power, nan, post}, "%#x / %#x", x, y)
			}
		}
		fixed := FixupPlain(&got, &quo, &den, &num, &Divisions32)
		require.Equal(t, portableFixupPlain(&want, &quo, &den, &num, &Divisions32), fixed, "%#x: %#x / %#x", z, x, y)
		if fixed {
			require.Equal(t, want, got)
			require.Equal(t, uint32(DivFixupF32(uint64(z), uint64(y), uint64(x))), got[at], "%#x: %#x / %#x", z, x, y)
		}
	}
}

// TestSinglesByWayOfDoublesAreAsInGo samples arguments evenly, in all with MGPU_TEST_LONG=1.
func TestSinglesByWayOfDoublesAreAsInGo(t *testing.T) {
	step := uint32(4099)
	if os.Getenv("MGPU_TEST_LONG") == "1" {
		step = 1
	}
	both := []uint32{0, 1 << 31}
	for _, c := range []struct {
		name     string
		k        Kernel1
		want     func(float32) float32
		from, to uint32 // of the arguments without their signs
		signs    []uint32
	}{
		{"exp2", ExpF32, Exp32, 0x30000000, 0x43200000, both},
		{"log2", LogF32, Log32, 0, 0x7f800000, both},
		{"sin", SinF32, Sin32, 0, 0x43800100, both},
		{"cos", CosF32, Cos32, 0, 0x43800100, both},
		{"rsq", RsqF32, Rsq32, 0, 0x7f800000, both[:1]}, // a negative number would keep a row from the fast way
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var a, got Lanes
			n := 0
			for x := c.from; x < c.to; x += step {
				for _, sign := range c.signs {
					a[n] = x | sign
					n++
				}
				if n < 64 {
					continue
				}
				n = 0
				c.k(&got, &a)
				for i, x := range a {
					want := uint32(SingleOf(c.want(Float(x)), uint64(x), 0, 0))
					if got[i] != want {
						t.Fatalf("%s(%v) (%#x) = %#x, want %#x", c.name, Float(x), x, got[i], want)
					}
				}
			}
		})
	}
}

// TestRootsNextToTheMiddleOfTwoSingles has the numbers whose 1/sqrt is nearest to one.
func TestRootsNextToTheMiddleOfTwoSingles(t *testing.T) {
	var a, want, got Lanes
	for l := range a {
		a[l] = []uint32{0x403a18e3, 0x4009f038}[l%2] + uint32(l/2-16)<<24
	}
	portableRsqF32(&want, &a)
	RsqF32(&got, &a)
	require.Equal(t, want, got)
}
