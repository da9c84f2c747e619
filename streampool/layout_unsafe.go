package streampool

import "unsafe"

// Where an Entry keeps what C code reads and changes of a stream, by the rules of
// the methods that do the same in Go. An Entry stays in place, and in memory, as
// long as [Config.Changed] is not called.
const (
	WordOffset     = unsafe.Offsetof(Entry{}.word)
	SyncedOffset   = unsafe.Offsetof(Entry{}.synced)
	HandleOffset   = unsafe.Offsetof(Entry{}.handle)
	DeviceOffset   = unsafe.Offsetof(Entry{}.device)
	ReportedOffset = unsafe.Offsetof(Entry{}.reported)

	// Of the word: see [Submission].
	StateMask = stateMask
	TurnBit   = turnBit
	CallShift = callShift
	CallBits  = callBits
	OneMore   = oneMore
)

// Address returns where the Entry lies; zero for nil.
func (e *Entry) Address() uintptr { return uintptr(unsafe.Pointer(e)) }

// Roster returns where the streams are listed that may have work pending: the
// address of the first of so many places for an Entry's address, of which the first
// *count were ever taken.
func (p *Pool) Roster() (places, count uintptr) {
	return uintptr(unsafe.Pointer(&p.roster.at)), uintptr(unsafe.Pointer(&p.roster.n))
}
