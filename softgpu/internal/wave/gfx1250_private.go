package wave

// In GFX12.5 private memory has flat addresses of its own: src_flat_scratch_base, plus the number of the lane from bit 52
// on, plus the private address (LLVM's lowering of addrspacecast with globally-addressable-scratch). Bits 58 to 63 tell
// such addresses from others.

const (
	flatPrivate     = 58 // first of these bits
	flatPrivateLane = 52
)

// FlatScratchBase returns what src_flat_scratch_base has.
func (w *Wave) FlatScratchBase() uint64 { return 1<<flatPrivate | w.ScratchBase }

// FlatPrivate converts a flat address of GFX12.5 of a lane's access of so many bytes: to one in the aperture of private
// memory if it is the lane's own, or to where a word of another lane's is.
func (w *Wave) FlatPrivate(addr, size uint64, lane int) uint64 {
	if addr>>flatPrivate != 1 {
		return addr
	}
	owner, own := int(addr>>flatPrivateLane&31), addr&(1<<flatPrivateLane-1)-w.ScratchBase
	switch {
	case owner == lane:
		return w.PrivateBase | own&(1<<32-1)
	case own >= (w.ScratchEnd-w.ScratchBase)/64:
		w.Fail("flat access to the private memory of another wave, which the software GPU does not have", lane, addr)
	case size > 4:
		w.Fail("flat access to more than a word of another lane's private memory, which the software GPU does not have", lane, addr)
	}
	return Swizzled(w.ScratchBase, own, owner)
}
