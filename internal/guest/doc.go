// Package guest holds what the entry layer in front of the Go exports needs
// from Go assembly: the entry point that starts the Go runtime late, and a
// function that makes a goroutine's stack large. The layer itself is C, in
// package main (guest.c), which says why each of them is needed.
//
// It has a package of its own because Go hands the assembly files of a package
// that uses cgo to the C compiler.
package guest
