package wave

// Lane is the lane that a number names: numbers count round the wave.
func (w *Wave) Lane(n uint32) uint32 { return n & (63 - w.absent&32) }
