// Package wave is the state of one wave: what steps change, and what a checker is called with.
//
// [Wave] has registers, MODE, the program counter, and windows of the memory that it found last (memory*.go, buffer.go,
// private.go); gws.go is the queue's global wave sync. Steps of package watch call [Watch] with accesses ([Touch],
// [Access]), registers and counters ([Uses]). A Wave belongs to one goroutine at a time. Registers always have 64
// lanes: in a wave of 32, the upper half of EXEC is always zero.
package wave
