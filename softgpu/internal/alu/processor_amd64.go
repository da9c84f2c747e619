package alu

import (
	"os"
	"strings"
)

func cpuid(leaf, sub uint32) (a, b, c, d uint32)

func xgetbv() (a uint32)

// HasAVX2 reports whether the kernels in assembly run: processor and operating system
// have AVX2, FMA and F16C, and GODEBUG, by which tests make a processor look older,
// takes none of them away.
var HasAVX2 = supportsAVX2() && !switchedOff(os.Getenv("GODEBUG"))

// switchedOff reports whether a value of GODEBUG takes a feature from Go's own code
// that the kernels in assembly need.
func switchedOff(debug string) bool {
	for setting := range strings.SplitSeq(debug, ",") {
		switch setting {
		case "cpu.all=off", "cpu.avx=off", "cpu.avx2=off", "cpu.fma=off":
			return true
		}
	}
	return false
}

func supportsAVX2() bool {
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
}

func pick[K any](fast, portable K) K {
	if HasAVX2 {
		return fast
	}
	return portable
}
