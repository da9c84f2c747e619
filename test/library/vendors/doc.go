// Package vendors tests, with the built library, which vendor's driver is tried when, and the lines if none can be
// used.
package vendors
