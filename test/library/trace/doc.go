// Package trace holds the tests of MGPU_TRACE: C hosts against the built library, and the
// rules of the format that their timelines have to keep.
package trace
