package gcn

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// binaryF16 and ternaryF16 make meanings of kernels on low halves.

func binaryF16(k alu.Kernel2) Meaning  { return wave2(k, alu.F16, alu.F16, alu.F16) }
func ternaryF16(k alu.Kernel3) Meaning { return wave3(k, alu.F16, alu.F16, alu.F16, alu.F16) }

func pairsF16x2(k alu.Kernel2) Meaning {
	return func(i *Inst) Step { return bindPacked(i, alu.Pf16, 2).step2(k) }
}

func pairsF16x3(k alu.Kernel3) Meaning {
	return func(i *Inst) Step { return bindPacked(i, alu.Pf16, 3).step3(k) }
}
