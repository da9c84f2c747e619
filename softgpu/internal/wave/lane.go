package wave

// Lane returns the lane with a number, modulo the wave's size.
func (w *Wave) Lane(n uint32) uint32 { return n & (63 - w.absent&32) }
