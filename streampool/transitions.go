package streampool

import "github.com/mgpu-runtime/mgpu/internal/invariants"

type transition invariants.Transition[State]

const (
	inGo = invariants.Go
	inC  = invariants.C
)

// transitions are all changes of an entry's state. [Entry.move] makes the changes of Go. The changes of C are functions
// that internal/cstructs generates from the rows, such as entry_live_to_idle. Each change is an atomic operation on the
// entry's word, from the state in the row.
//
//mgpu:transitions pool_entry entry
var transitions = []transition{
	{Foreign, Live, inGo, "no other thread has the new entry"},
	{Idle, Live, inGo | inC, "one thread has taken the entry from its slot, stack or thread"},
	{Draining, Live, inGo, "one thread has taken the entry from its queue; no submission since the query"},
	{Live, Idle, inGo | inC, "of two threads that give the handle back, one finds it live; no submission since the look"},
	{Live, Draining, inGo, "of two threads that give the handle back, one finds it live"},
	{Live, Ending, inGo, "of two threads that give the handle back, one finds it live"},
	{Draining, Ending, inGo, "one thread has taken the entry from its queue"},
	{Ending, Draining, inGo, "the thread that made it ending"},
	{Ending, Gone, inGo, "the thread that made it ending, unless one that forgets the handle is first"},
	{Live, Gone, inGo, "the thread that forgets the handle, which the driver has destroyed"},
	{Idle, Gone, inGo, "that thread; who takes the entry from its slot, stack or thread drops it"},
	{Draining, Gone, inGo, "that thread; who takes the entry from its queue drops it"},
}
