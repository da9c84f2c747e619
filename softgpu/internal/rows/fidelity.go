package rows

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
)

// What rows say of their results (docs/soft.md, "Corners of arithmetic", has the sources).
var (
	oneUnit = encoding.Fidelity{Standing: encoding.Approximate, Bound: "1 ulp", Source: "AMD's manual: 1 ULP accuracy"}
	// forQuotients is the reciprocal by which compilers divide integers.
	forQuotients = encoding.Fidelity{Standing: encoding.Approximate, Bound: "1 ulp", Source: "AMD's manual: 1 ULP accuracy",
		Note: "compilers divide integers by it and correct the quotient, which is then exact"}
	halfUnit = encoding.Fidelity{Standing: encoding.Approximate, Bound: "0.51 ulp", Source: "AMD's manual: 0.51 ULP accuracy"}
	seed64   = encoding.Fidelity{Standing: encoding.Approximate, Bound: "2^29 ulp", Source: "AMD's manual: (2**29) ULP accuracy",
		Note: "a first approximation, which compilers refine"}
	unbounded = encoding.Fidelity{Standing: encoding.Approximate, Bound: "not stated", Source: "AMD's manual gives the function and no accuracy"}
	formatted = encoding.Fidelity{Standing: encoding.Approximate, Bound: "1 ulp", Source: "AMD's manuals name the formats, not how conversions round",
		Note: "integers, and floats of 16 and 32 bits that keep their size, are exact"}
	filtered = encoding.Fidelity{Standing: encoding.Approximate, Bound: "not stated", Source: "weights of a filter have eight bits; the order of its sums is open"}

	// exactSums are of float matrices and dot products of RDNA, whose chips add in steps that are not published.
	exactSums = encoding.Fidelity{Standing: encoding.Approximate, Bound: "not stated", Source: "the exact sum, rounded once; a chip's steps are not published"}

	cdna5       = encoding.Fidelity{Standing: encoding.Manual, Source: "AMD's manual of CDNA5, as public programs quote it"}
	scaledCDNA5 = encoding.Fidelity{Standing: encoding.Inferred, Source: "the choice of the scale: MLIR's amdgpu dialect; the rest as gfx950's conversions, whose manual it is"}
	likeGfx950  = encoding.Fidelity{Standing: encoding.Inferred, Source: "as gfx950's conversions, whose manual it is"}
	byManual    = encoding.Fidelity{Standing: encoding.Manual, Source: "AMD's manual"}
	division    = encoding.Fidelity{Standing: encoding.Measured, On: 1 << encoding.Gfx1100, Source: "rocjitsu, of gfx1100 and gfx1201"}
	tinyHalves  = encoding.Fidelity{Standing: encoding.Measured, Source: "rocjitsu, of gfx1201"}
	dotHalves   = encoding.Fidelity{Standing: encoding.Measured, On: encoding.OnGfx90a | encoding.OnGfx950, Source: "LLVM's pull request 205101, of gfx90a and gfx950"}

	matrixSums = encoding.Fidelity{Standing: encoding.Measured, On: encoding.OnGfx908 | encoding.OnGfx90a | encoding.OnGfx942,
		Source: "MMA-Sim, of gfx908, gfx90a and gfx942"}
	likeMatrixSums = encoding.Fidelity{Standing: encoding.Inferred, Source: "sums as of gfx942's dense matrices, which MMA-Sim measured"}

	clock = encoding.Fidelity{Standing: encoding.Unlike, Source: "this processor's clock"}
	place = encoding.Fidelity{Standing: encoding.Unlike, Source: "registers that tell where a wave runs read as zeros", Note: "MODE and the bases of memory are exact"}
	added = encoding.Fidelity{Standing: encoding.Exact, Source: "IEEE 754", Note: "sums depend on the order in which lanes and workgroups add, which no chip promises"}
)

// fidelityOf is that of a matrix instruction.
func fidelityOf(s *matrix.Shape) *encoding.Fidelity {
	switch {
	case s.A == matrix.EntryI8:
		return nil
	case s.Sparse || s.A == matrix.EntryMixed:
		return &likeMatrixSums
	}
	return &matrixSums
}
