package alloccache

import "github.com/mgpu-runtime/mgpu/internal/invariants"

type transition invariants.Transition[State]

const (
	inGo = invariants.Go
	inC  = invariants.C
)

// transitions are all changes of a block's state. [Block.move] makes the changes of Go. The changes of C are functions
// that internal/cstructs generates from the rows, such as block_live_to_listed. Each change is an atomic operation on
// the block's word, from the state in the row.
//
//mgpu:transitions block block
var transitions = []transition{
	{Gone, Held, inGo, "Cache.mu, by the thread that has the driver's memory"},
	{Held, Live, inGo, "the holder"},
	{Live, Held, inGo, "of two threads that free the block, one finds it live"},
	{Live, Gone, inGo, "one thread finds that the program has freed the memory without the cache"},
	{Live, Listed, inC, "of two threads that free the block, one finds it live; it has a free place for the block"},
	{Listed, Live, inC, "one thread has taken the block out of its place"},
	{Listed, Held, inGo, "one thread has taken the block out of its place"},
	{Held, Free, inGo, "the holder, with the lock of the bins or scope whose list gets the block"},
	{Held, Waiting, inGo, "the holder, with the lock of the bins or scope whose list gets the block"},
	{Free, Held, inGo, "the lock of the bins or scope whose list has the block"},
	{Waiting, Held, inGo, "the lock of the bins or scope whose list has the block"},
	{Held, Gone, inGo, "the holder"},
}
