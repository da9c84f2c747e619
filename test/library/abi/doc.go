// Package abi tests the built library through its C ABI: the header, the calls of
// every LLVM release, bad input of every kind, and calls at every point of a
// process's life. The callers are the C programs of hosts/.
package abi
