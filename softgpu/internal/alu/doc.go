// Package alu is the arithmetic of the software GPU: the functions of instructions, independent of their encoding.
//
// [Lanes] is a register of 64 lanes. A kernel computes all lanes: in assembly on processors with AVX2 (kernel_*_amd64),
// otherwise in Go ("portable"). Both give the same bits, including NaNs. Other functions compute one lane, or one
// scalar. [Arithmetic] computes numbers of any format exactly and rounds them according to MODE; it is slow and
// complete, and fast kernels are compared with it. The package knows no waves, operands or memory. Goroutines share
// only constants and tables that are made once.
//
//	lanes, kernel, each        registers; types of kernels; kernels made from functions of one lane
//	int*, bytes, carry, table  integers, bits and bytes; compare* compares, scalar_* is for scalars
//	float, half_lanes, bfloat, wide, mixed, packed*  floats of 32, 16 and 64 bits; products of several
//	div*, trans, convert, integer  division, approximated functions, conversions
//	number, arithmetic, nan, order  exact numbers and their rounding; the NaN of a result; minimum and maximum
//	half, small*               formats of 16 bits and fewer
//	kind, mode, sdwa           how operands are read; bits of MODE; parts of registers
//	kernel_*, processor_*      the kernels in assembly, and whether the processor supports them
package alu
