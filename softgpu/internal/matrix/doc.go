// Package matrix has the formats of the entries of matrices, and the sums of their products.
//
// shape.go lists the formats and the shapes of products. entry.go decodes numbers. fused.go adds products in fixed
// point, as measured on gfx942; wmma.go has RDNA's sums, which are exact. [MatrixTemp] is a wave's temporary memory for
// one instruction. Package bind (matrix.go) knows where an entry is in registers.
package matrix
