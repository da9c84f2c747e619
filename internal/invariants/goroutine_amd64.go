//go:build invariants

package invariants

// goroutine returns the address of the calling goroutine, which tells goroutines apart that run.
func goroutine() uintptr
