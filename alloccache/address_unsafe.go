package alloccache

import "unsafe"

// Address returns the address of the Block. A Block stays at its address and in memory for good: once its memory is
// released to the driver, the Block is reused for another allocation.
func (b *Block) Address() uintptr { return uintptr(unsafe.Pointer(b)) }
