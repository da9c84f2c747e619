package emu

// nearestAllDenormals is the processor's floating-point mode that Go code expects:
// round to nearest, keep denormals, no exceptions.
const nearestAllDenormals = 0x1f80

// swapFloatEnv sets the calling thread's floating-point mode (MXCSR) and returns the previous mode. The host's threads
// also execute instructions, and a host may flush denormals, round in another direction or trap exceptions, none of
// which may change a result.
//
//go:noescape
func swapFloatEnv(mode uint32) (was uint32)
