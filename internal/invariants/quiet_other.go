//go:build invariants && !race

package invariants

// Between Quiet and Loud the race detector does not take the goroutine's atomic operations for synchronization.
func Quiet() {}
func Loud()  {}
