// Package late has the Go assembly of package guest, since a cgo package can't have Go assembly: the entry point that
// starts the Go runtime late, and a function that enlarges a goroutine's stack.
package late
