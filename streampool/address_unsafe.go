package streampool

import "unsafe"

// Address returns the address of the Entry; zero for nil. The Entry stays at this address, and in memory, until the
// pool calls [Config.Changed].
func (e *Entry) Address() uintptr { return uintptr(unsafe.Pointer(e)) }

// Roster returns three addresses that C code reads: of the first place of the roster, each of which has the address of
// an Entry or zero; of the number of places used so far; and of the count of frees that left work pending.
func (p *Pool) Roster() (places, count, frees uintptr) {
	return uintptr(unsafe.Pointer(&p.roster.at)), uintptr(unsafe.Pointer(&p.roster.n)), uintptr(unsafe.Pointer(&p.frees.count))
}
