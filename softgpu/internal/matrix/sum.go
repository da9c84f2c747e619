package matrix

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// SumInto adds a to d.
func SumInto(d, a *alu.Lanes, flush bool) {
	alu.AddF32(d, d, a)
	if flush {
		alu.FlushDenorms(d)
	}
}

// NoDenormals makes +0 of the singles that a format of entries has as denormals.
func NoDenormals(x []uint32, of Entry) {
	least := uint32(1-of.bias()+EntryF32.bias()) << 23 // the format's least normal number
	for n, v := range x {
		if v&^(1<<31) < least {
			x[n] = 0
		}
	}
}
