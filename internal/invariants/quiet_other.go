//go:build invariants && !race

package invariants

// Between Quiet and Loud the race detector takes nothing that the goroutine does for order.
func Quiet() {}
func Loud()  {}
