package alu

import (
	"fmt"
	"testing"
	"time"
	"unsafe"
)

// BenchmarkOps times an op that adds registers, in runs of 64 such ops: the best of as many rounds as -benchtime says.
func BenchmarkOps(b *testing.B) {
	if !HasRuns {
		b.Skip("this processor has no AVX2: there are no ops")
	}
	for _, lanes := range []int{32, 64} {
		b.Run(fmt.Sprint(lanes), func(b *testing.B) {
			registers := make([]Lanes, 48)
			var ops [65]Op
			for n := range 64 {
				at := uintptr(n%16) * Extent64
				ops[n] = Nearer(Op{Code: Code(opAddU32), File: [8]uint8{Vectors, Vectors, Vectors}, At: [6]uintptr{at + 32*Extent64, at, at + 16*Extent64}})
			}
			ops[64].Code = Code(OpEnd)
			f := Files{Extent: uintptr(lanes) * 4}
			f.At[Vectors] = uintptr(unsafe.Pointer(&registers[0]))
			best := time.Hour
			for range b.N {
				from := time.Now()
				for range 20 {
					RunOps(&ops[0], &f)
				}
				best = min(best, time.Since(from))
			}
			b.ReportMetric(float64(best)/(20*64), "best-ns")
		})
	}
}
