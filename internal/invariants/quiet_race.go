//go:build invariants && race

package invariants

import "runtime"

// Between Quiet and Loud the race detector does not take the goroutine's atomic operations for synchronization.
func Quiet() { runtime.RaceDisable() }
func Loud()  { runtime.RaceEnable() }
