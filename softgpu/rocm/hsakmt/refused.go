package hsakmt

// RegisterGraphicsHandleToNodes is refused: no other driver shares memory with these GPUs.
func (t *Thunk) RegisterGraphicsHandleToNodes(_, _, _, _ uint64) Status { return NotSupported }
