// Package invariants checks the library's own rules in tests. The checks are part of builds with the tag invariants,
// such as those of make test. Other builds do not contain them.
//
//	transitions  states change only by a table
//	holds        who holds a pin, a block or a submission; printed if a hold has not ended
//
// Package locks checks the order of locks in the same way. The checks must not hide races from the race detector: they
// share only atomic values, and the detector ignores the order that these create (Quiet).
package invariants
