//go:build invariants && race

package invariants

import "runtime"

// Between Quiet and Loud the race detector takes nothing that the goroutine does for order.
func Quiet() { runtime.RaceDisable() }
func Loud()  { runtime.RaceEnable() }
