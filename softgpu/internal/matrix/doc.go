// Package matrix has the formats of the entries of matrices, and the sums of their products.
//
// shape.go lists the formats and the shapes of products. entry.go takes numbers apart,
// fused.go adds up products in fixed point, as gfx942 was measured to do; wmma.go has RDNA's, which are exact. [MatrixTemp]
// is a wave's room for one instruction. Where an entry sits in registers is the binder's
// business (package bind, matrix.go).
package matrix
