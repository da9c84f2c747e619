// Package bind makes steps of instructions: it resolves their operands once and returns a
// function that runs for every wave.
//
// A binder serves all forms of a row: it takes care of constants, modifiers, SDWA, DPP and EXEC,
// and is given what is computed: a kernel over all 64 lanes or a function of one (package alu), or
// what memory does (package memory). Steps do not allocate. What a wave does wrong while it runs
// ends in its Fault.
//
//	operand, source, dpp, index  what an operand reads and writes: modifiers, lanes, M0
//	vector*          vector instructions: kernels (vector_wave; vector_plain where there are no
//	                 modifiers), functions of one lane (vector_lane)
//	scalar*, flow    scalar instructions; branches, waits, hardware registers
//	compare*, mixed, packed*, div*, small*, ...  instructions with a binder of their own
//	memory*, gws     loads, stores and atomics, a file per address space
//	image*, matrix*  image and matrix instructions
//	run*             instructions that run together, as ops without a call for each
package bind
