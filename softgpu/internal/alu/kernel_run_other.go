//go:build !amd64

package alu

// HasRuns reports whether this processor has the ops.
const HasRuns = false

// RunOps is never called.
func RunOps(*Op, *Files) uintptr { return RunEnded }

// RunWaves is never called.
func RunWaves(*Route, *Files, int) (done, leg int, stopped uintptr, repeated int) {
	return 0, 0, RunNotBegun, 0
}

// Code is 0.
func Code(int) uintptr { return 0 }

// OpOfKernel returns none.
func OpOfKernel(any) (op Op) { return op }

// Spread returns none.
func Spread(_, op Op) (both Op, ok bool) { return op, false }

// Fused returns none.
func Fused(_, op Op, _ uintptr) (both Op, ok bool) { return op, false }

// LoadsAhead returns none.
func LoadsAhead([]Op) (ahead Op, n int) { return ahead, 0 }

// Nearer is the identity.
func Nearer(op Op) Op { return op }
