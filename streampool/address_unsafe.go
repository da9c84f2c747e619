package streampool

import "unsafe"

// Address returns where the Entry lies; zero for nil. An Entry stays in place, and in
// memory, as long as [Config.Changed] is not called.
func (e *Entry) Address() uintptr { return uintptr(unsafe.Pointer(e)) }

// Roster returns where the streams are listed that may have work pending: the
// address of the first of so many places for an Entry's address, of which the first
// *count were ever taken; and where frees that left work pending are counted.
func (p *Pool) Roster() (places, count, frees uintptr) {
	return uintptr(unsafe.Pointer(&p.roster.at)), uintptr(unsafe.Pointer(&p.roster.n)), uintptr(unsafe.Pointer(&p.frees.count))
}
