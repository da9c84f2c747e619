// Package alu is the arithmetic of the software GPU: what instructions compute, whatever their encoding.
//
// [Lanes] is a register of 64 lanes. A kernel computes all of them, in assembly where the
// processor has AVX2 (kernel_*_amd64), else in Go ("portable"), with the same bits, NaNs
// included. Other functions compute one lane, or one scalar. [Arithmetic] computes numbers of
// any format exactly and rounds them as MODE asks: slow, complete, and what fast kernels are
// compared with. Nothing here knows waves, operands or memory; nothing is shared between
// goroutines but constants and tables that are made once.
//
//	lanes, kernel, each        registers; types of kernels; kernels made of functions of one lane
//	int*, bytes, carry, table  integers, bits and bytes; compare* compares, scalar_* is for scalars
//	float, half_lanes, bfloat, wide, mixed, packed*  floats of 32, 16 and 64 bits; products of several
//	div*, trans, convert, integer  division, approximated functions, conversions
//	number, arithmetic, nan, order  exact numbers and their rounding; which NaN comes out; minimum and maximum
//	half, small*               formats of 16 bits and fewer
//	kind, mode, sdwa           how operands are read; bits of MODE; parts of registers
//	kernel_*, processor_*      the kernels in assembly, and whether the processor has them
package alu
