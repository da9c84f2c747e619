package alloccache

// Lose forgets all blocks of a device, after the driver has freed their memory.
func (c *Cache) Lose(device int) {
	if !c.validDevice(device) {
		return
	}
	c.collectListed()
	for k := range kinds {
		s := &c.bins[k][device]
		for b := s.takeOldest(allTime); b != nil; b = s.takeOldest(allTime) {
			c.dropBlock(b)
		}
	}
	for _, scope := range c.scopes.all() {
		for b := scope.popFree(device); b != nil; b = scope.popFree(device) {
			b.scope.Store(nil)
			c.dropBlock(b)
		}
	}
	var live []*Block
	c.mu.Lock()
	for _, b := range c.blocks {
		if int(b.dev) == device {
			live = append(live, b)
		}
	}
	c.mu.Unlock()
	for _, b := range live {
		if b.move(Live, Held) {
			c.dropBlock(b)
		}
	}
}

// Lose forgets the buffers of a device.
func (s *Scratch) Lose(device int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := range s.by {
		if k.device == device {
			delete(s.by, k)
		}
	}
}
