package gcn

func cpuid(leaf, sub uint32) (a, b, c, d uint32)

func xgetbv() (a uint32)

// hasAVX2 tells whether processor and operating system have AVX2, FMA and F16C,
// which came together.
var hasAVX2 = func() bool {
	const fma, osxsave, avx, f16c, avx2, ymmState = 1 << 12, 1 << 27, 1 << 28, 1 << 29, 1 << 5, 6
	if top, _, _, _ := cpuid(0, 0); top < 7 {
		return false
	}
	_, _, c, _ := cpuid(1, 0)
	if c&(fma|osxsave|avx|f16c) != fma|osxsave|avx|f16c || xgetbv()&ymmState != ymmState {
		return false
	}
	_, b, _, _ := cpuid(7, 0)
	return b&avx2 != 0
}()

func pick[K any](fast, portable K) K {
	if hasAVX2 {
		return fast
	}
	return portable
}
