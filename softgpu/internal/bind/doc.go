// Package bind makes steps from instructions: it resolves their operands once and returns a function that runs for
// every wave.
//
// A binder serves all forms of a row. It handles constants, modifiers, SDWA, DPP and EXEC. Its argument is the
// computation: a kernel over all 64 lanes, a function of one lane (package alu), or an access to memory (package
// memory). Steps do not allocate. An error of a running wave is stored in its Fault.
//
//	operand, source, dpp, index  operands: modifiers, lanes, M0
//	vector*          vector instructions: kernels (vector_wave; vector_plain without modifiers),
//	                 functions of one lane (vector_lane)
//	scalar*, flow    scalar instructions; branches, waits, hardware registers
//	compare*, mixed, packed*, div*, small*, ...  instructions with their own binder
//	memory*, gws     loads, stores and atomics, a file per address space
//	image*, matrix*  image and matrix instructions
//	run*             instructions that run together, as ops without a call for each
package bind
