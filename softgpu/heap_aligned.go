package softgpu

// allocAligned is alloc for a block with its own region that starts at a multiple of align, a power of two. size is not
// zero.
func (h *heap) allocAligned(size, align uint64, device int, own owner) (uintptr, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r, err := h.mapRegionAligned((size+pageSize-1)&^(pageSize-1), align)
	if err != nil {
		return 0, err
	}
	r.class, r.owner, r.slots = -1, own, []block{{size: size, device: device, owner: own}}
	return r.lo, nil
}
