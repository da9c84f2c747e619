// Package invariants has checks of the library's own rules for tests. They are part of builds with
// the tag invariants, as the tests of make test are, and cost the product nothing.
//
//	transitions  states change by a table only
//	holds        who holds a pin, a block or a submission, printed if one is left
//
// Package locks checks the order of locks likewise. Under the race detector the checks order nothing:
// they share atomic values alone, whose order the detector ignores (Quiet).
package invariants
