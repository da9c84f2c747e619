// Package vendors tests, on the built library, which vendor's driver is tried
// when, and what is said where none can be used.
package vendors
