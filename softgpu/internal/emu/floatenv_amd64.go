package emu

// nearestAllDenormals is the processor's floating-point mode that Go code expects:
// round to nearest, keep denormals, no exceptions.
const nearestAllDenormals = 0x1f80

// swapFloatEnv sets the calling thread's floating-point mode (MXCSR) and
// returns what it was. The host's threads run instructions too, and a host may
// flush denormals, round otherwise or trap: none of it may show in a result.
//
//go:noescape
func swapFloatEnv(mode uint32) (was uint32)
