//go:build invariants

package invariants

// Goroutine returns the address of the calling goroutine, which tells apart those that run.
func Goroutine() uintptr
