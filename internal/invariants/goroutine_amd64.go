//go:build invariants

package invariants

// Goroutine returns the address of the calling goroutine, which identifies it while it runs.
func Goroutine() uintptr
