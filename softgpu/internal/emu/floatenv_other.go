//go:build !amd64

package emu

const nearestAllDenormals = 0

// swapFloatEnv does nothing, since in practice hosts change the mode only on amd64.
func swapFloatEnv(uint32) (was uint32) { return 0 }
