package alloccache

import "unsafe"

// Where a Block keeps what C code reads and changes, by the rules of Cache.Alloc
// and Cache.Free. A Block stays in place and in memory for good: one whose memory
// has gone back to the driver is used for the next.
const (
	WordOffset  = unsafe.Offsetof(Block{}.word)
	PtrOffset   = unsafe.Offsetof(Block{}.ptr)
	ClassOffset = unsafe.Offsetof(Block{}.class)
	RowOffset   = unsafe.Offsetof(Block{}.row)
	AskedOffset = unsafe.Offsetof(Block{}.asked)
	SiteOffset  = unsafe.Offsetof(Block{}.site)
	StampOffset = unsafe.Offsetof(Block{}.stamp)
	BytesOffset = unsafe.Offsetof(Block{}.bytes)
	ToldOffset  = unsafe.Offsetof(Block{}.told)

	StateMask = stateMask
	QuickBit  = quickBit
	OneMore   = oneMore

	SmallestBits = smallestBits
	StepBits     = stepBits
)

// Address returns where the Block lies.
func (b *Block) Address() uintptr { return uintptr(unsafe.Pointer(b)) }
