package alloccache

import "unsafe"

// Address returns where the Block lies. A Block stays in place and in memory for good:
// one whose memory has gone back to the driver is used for the next.
func (b *Block) Address() uintptr { return uintptr(unsafe.Pointer(b)) }
