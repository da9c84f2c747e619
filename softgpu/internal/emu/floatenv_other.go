//go:build !amd64

package emu

const nearestAllDenormals = 0

// swapFloatEnv does nothing: only on amd64 do hosts change the mode in practice.
func swapFloatEnv(uint32) (was uint32) { return 0 }
