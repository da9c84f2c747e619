// Package late is the Go assembly of package guest, which as a cgo package can hold
// none: the entry point that starts the Go runtime late, and a function that makes a
// goroutine's stack large.
package late
