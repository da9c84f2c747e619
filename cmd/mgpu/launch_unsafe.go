package main

import "unsafe"

// address returns where a slice's elements lie. It is not empty, and pinned.
func address[T any](s []T) uintptr { return uintptr(unsafe.Pointer(&s[0])) }
