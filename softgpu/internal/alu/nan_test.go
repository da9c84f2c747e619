package alu

import (
	randv2 "math/rand/v2"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/stretchr/testify/require"
)

func ofWide1(k WideKernel1) WideKernel {
	return func(dl, dh, al, ah, _, _, _, _ *Lanes) { k(dl, dh, al, ah) }
}

func ofWide2(k WideKernel2) WideKernel {
	return func(dl, dh, al, ah, bl, bh, _, _ *Lanes) { k(dl, dh, al, ah, bl, bh) }
}

// TestNaNsAreTheSameInAssemblyAndWithout compares kernels bit for bit, NaNs too.
func TestNaNsAreTheSameInAssemblyAndWithout(t *testing.T) {
	r := randv2.New(randv2.NewPCG(21, 22))
	for range 400 {
		for _, k := range []struct {
			name           string
			letter         byte
			fast, portable Kernel3
		}{
			{"add_f32", 'f', asKernel3(AddF32), asKernel3(portableAddF32)}, {"sub_f32", 'f', asKernel3(SubF32), asKernel3(portableSubF32)},
			{"subrev_f32", 'f', asKernel3(SubrevF32), asKernel3(portableSubrevF32)}, {"mul_f32", 'f', asKernel3(MulF32), asKernel3(portableMulF32)},
			{"min_f32", 'f', asKernel3(MinF32), asKernel3(portableMinF32)}, {"max_f32", 'f', asKernel3(MaxF32), asKernel3(portableMaxF32)},
			{"fma_f32", 'f', FmaF32, portableFmaF32}, {"ldexp_f32", 'f', asKernel3(LdexpF32), asKernel3(portableLdexpF32)},
			{"rndne_f32", 'f', of1(RndneF32), of1(portableRndneF32)}, {"floor_f32", 'f', of1(FloorF32), of1(portableFloorF32)},
			{"ceil_f32", 'f', of1(CeilF32), of1(portableCeilF32)}, {"trunc_f32", 'f', of1(TruncF32), of1(portableTruncF32)},
			{"fract_f32", 'f', of1(FractF32), of1(portableFractF32)}, {"rcp_f32", 'f', of1(RcpF32), of1(portableRcpF32)},
			{"sqrt_f32", 'f', of1(SqrtF32), of1(portableSqrtF32)}, {"rsq_f32", 'f', of1(RsqF32), of1(portableRsqF32)},
			{"exp_f32", 'f', of1(ExpF32), of1(portableExpF32)}, {"log_f32", 'f', of1(LogF32), of1(portableLogF32)},
			{"sin_f32", 'f', of1(SinF32), of1(portableSinF32)}, {"cos_f32", 'f', of1(CosF32), of1(portableCosF32)},
			{"fma_to_f16", 'f', FmaToF16, portableFmaToF16}, {"flush_f32", 'f', of1(FlushF32), of1(portableFlushF32)}, {"flush_f16", 'h', of1(flushF16), of1(portableFlushF16)},
			{"cvt_f32_f16", 'h', of1(CvtF32F16), of1(portableCvtF32F16)}, {"cvt_f16_f32", 'f', of1(CvtF16F32), of1(portableCvtF16F32)},
		} {
			a, _ := samples.StrangeLanes[Lanes](r, k.letter)
			b, _ := samples.StrangeLanes[Lanes](r, k.letter)
			c, _ := samples.StrangeLanes[Lanes](r, k.letter)
			var want, got Lanes
			k.portable(&want, a, b, c)
			k.fast(&got, a, b, c)
			for l := range want {
				require.Equal(t, want[l], got[l], "%s(%#x, %#x, %#x), got %#x", k.name, a[l], b[l], c[l], got[l])
			}
		}
		for _, k := range []struct {
			name           string
			fast, portable WideKernel
		}{
			{"add_f64", AddF64, portableAddF64}, {"mul_f64", MulF64, portableMulF64}, {"fma_f64", FmaF64, portableFmaF64},
			{"rndne_f64", ofWide1(RndneF64), ofWide1(portableRndneF64)}, {"floor_f64", ofWide1(FloorF64), ofWide1(portableFloorF64)},
			{"ceil_f64", ofWide1(CeilF64), ofWide1(portableCeilF64)}, {"trunc_f64", ofWide1(TruncF64), ofWide1(portableTruncF64)},
			{"sqrt_f64", ofWide1(SqrtF64), ofWide1(portableSqrtF64)}, {"rcp_f64", ofWide1(RcpF64), ofWide1(portableRcpF64)},
			{"rsq_f64", ofWide1(RsqF64), ofWide1(portableRsqF64)}, {"fract_f64", ofWide1(FractF64), ofWide1(portableFractF64)},
			{"min_f64", ofWide2(MinF64), ofWide2(portableMinF64)}, {"max_f64", ofWide2(MaxF64), ofWide2(portableMaxF64)},
		} {
			al, ah := samples.StrangeLanes[Lanes](r, 'F')
			bl, bh := samples.StrangeLanes[Lanes](r, 'F')
			cl, ch := samples.StrangeLanes[Lanes](r, 'F')
			if r.IntN(2) == 0 {
				for l := range ah { // no NaNs
					ah[l], bh[l] = ah[l]&^(1<<30), bh[l]&^(1<<30)
				}
				*al, *bl, ah[0], bh[0] = Lanes{}, *al, 1<<31, 0
			}
			var wl, wh, gl, gh Lanes
			k.portable(&wl, &wh, al, ah, bl, bh, cl, ch)
			k.fast(&gl, &gh, al, ah, bl, bh, cl, ch)
			for l := range wl {
				require.Equal(t, Join(wl[l], wh[l]), Join(gl[l], gh[l]), "%s(%#x, %#x, %#x)", k.name, Join(al[l], ah[l]), Join(bl[l], bh[l]), Join(cl[l], ch[l]))
			}
		}
	}
}

func TestNaNsOfMatricesAreTheSameInAssemblyAndWithout(t *testing.T) {
	r := randv2.New(randv2.NewPCG(26, 27))
	for range 400 {
		b, _ := samples.StrangeLanes[Lanes](r, 'f')
		rows, _ := samples.StrangeLanes[Lanes](r, 'f')
		want, _ := samples.StrangeLanes[Lanes](r, 'f')
		got := *want
		PortableMatrixF32(want, b, (*[8]uint32)(rows[:8]))
		MatrixF32(&got, b, (*[8]uint32)(rows[:8]))
		require.Equal(t, *want, got)
	}
}

// of1 is k with a second and a third source that it does not look at.
func of1(k Kernel1) Kernel3 { return func(d, a, _, _ *Lanes) { k(d, a) } }
