package main

import "unsafe"

// address returns the address of a slice's elements. The slice must be pinned and not empty.
func address[T any](s []T) uintptr { return uintptr(unsafe.Pointer(&s[0])) }
