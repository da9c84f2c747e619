// Package wave is the state of one wave: what steps change, and what a checker is told of it.
//
// [Wave] has registers, MODE, the program counter, and windows of the memory that it found
// last (memory*.go, buffer.go, private.go); gws.go is the queue's global wave sync. [Watch] is told of accesses
// ([Touch], [Access]) and of registers and counters ([Uses]) by steps that package watch makes.
// A Wave belongs to one goroutine at a time. Registers are always 64 lanes wide: a wave of 32
// is one whose upper half never has a bit of EXEC.
package wave
