// Package guest tests that a host does not notice the Go runtime inside the
// library. Each test runs one C program of hosts/ with the library and without
// it; what the program prints, and how it ends, must be the same.
package guest
