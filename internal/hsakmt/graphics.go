package hsakmt

// Interoperation with graphics and other drivers, of which there are none here.

// RegisterGraphicsHandleToNodes is refused.
func (t *Thunk) RegisterGraphicsHandleToNodes(_, _, _, _ uint64) Status { return NotSupported }

// ShareMemory is refused.
func (t *Thunk) ShareMemory(_, _, _ uint64) Status { return NotSupported }

// RegisterSharedHandle is refused.
func (t *Thunk) RegisterSharedHandle(_, _, _ uint64) Status { return NotSupported }

// RegisterSharedHandleToNodes is refused.
func (t *Thunk) RegisterSharedHandleToNodes(_, _, _, _, _ uint64) Status { return NotSupported }

// SVMSetAttr is refused.
func (t *Thunk) SVMSetAttr(_, _ uint64, _ uint32, _ uint64) Status { return NotSupported }

// SVMGetAttr is refused.
func (t *Thunk) SVMGetAttr(_, _ uint64, _ uint32, _ uint64) Status { return NotSupported }
