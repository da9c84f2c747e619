//go:build !amd64

package alu

// HasRuns tells whether this processor has the ops.
const HasRuns = false

func RunOps(*Op, *Files) {}

func Codes() (none [opCount]uintptr) { return none }
