// Package addrmap maps addresses, and handles, which vendors make of
// addresses, to values that are found again without a lock.
//
// A lookup is a multiplication, a probe and a comparison; it never waits, never
// allocates and never writes to memory that another core reads. Changes take a
// mutex and are meant to be rare. A value is never moved once stored, so the
// pointer that a lookup gives stays good however the map changes: what it
// points to may only have left the map meanwhile.
package addrmap
