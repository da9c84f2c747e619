package alloccache

// allocScoped is Alloc in a scope. It takes a block of the scope, and waits for one if necessary, or adds a new block
// to the scope.
func (c *Cache) allocScoped(d Driver, s *bins, r Request, class uint32, size uint64) (*Block, Outcome, error) {
	scope := r.Session.scope
	b, waited, err := scope.takeReady(d, s, binKey{class, uint16(r.Device), r.Kind}, size)
	if err != nil {
		return nil, Failed, err
	}
	o := Reused
	switch {
	case b == nil:
		if b, o = c.takeCached(d, s, r, class, size); b == nil {
			if b, err = c.allocate(d, s, r, class, size); err != nil {
				return nil, Failed, err
			}
			o = Allocated
			s.counts.allocated.Add(1)
		}
		if b.exact { // never reused
			c.makeLive(s, b, r)
			return b, o, nil
		}
		scope.adopt(b)
	case waited:
		o = Covered
		s.counts.covered.Add(1)
	default:
		s.counts.reused.Add(1)
	}
	scope.mu.Lock()
	b.session = r.Session
	r.Session.live.push(b)
	scope.busy++
	scope.mu.Unlock()
	c.makeLive(s, b, r)
	return b, o, nil
}

// adopt adds a held block to the scope.
func (scope *Scope) adopt(b *Block) {
	for { // threads' free lists no longer get the block
		w := b.word.Load()
		if b.word.CompareAndSwap(w, w&^quickBit) {
			break
		}
	}
	b.scope.Store(scope)
	scope.mu.Lock()
	scope.bytes += b.bytes
	scope.mu.Unlock()
}

// takeReady takes a free block of the scope. If none is ready, it waits for the one that was freed first. It returns
// nil if no block fits.
func (scope *Scope) takeReady(d Driver, s *bins, k binKey, size uint64) (b *Block, waited bool, err error) {
	scope.mu.Lock()
	l := scope.free[k]
	if l == nil {
		scope.mu.Unlock()
		return nil, false, nil
	}
	var last *Block // of the blocks that fit, the one freed first
	for b = l.head; b != nil; b = b.next {
		if b.bytes != size {
			continue
		}
		if last = b; b.ready() {
			break
		}
	}
	if waited = b == nil; waited {
		b = last
	}
	if b == nil {
		scope.mu.Unlock()
		return nil, false, nil
	}
	scope.unlist(l, b)
	scope.mu.Unlock()
	if !waited {
		return b, false, nil
	}
	for _, m := range b.marks {
		if m.covered() {
			continue
		}
		if d.Quiet() { // the program captures a stream: no wait is allowed
			scope.insert(b)
			return nil, false, nil
		}
		s.counts.scopeWaits.Add(1)
		if err := d.Await(m); err != nil {
			scope.insert(b)
			return nil, false, err
		}
	}
	return b, true, nil
}

// unlist takes a block off its list and makes it held. The caller has locked the scope.
func (scope *Scope) unlist(l *list, b *Block) {
	scope.mu.AssertHeld()
	l.remove(b)
	scope.count--
	scope.c.bins[b.kind][b.dev].scoped.Add(-b.bytes)
	b.move(b.State(), Held)
}

// insert puts a held block on its list. If the scope has been destroyed, insert removes the block from the scope and
// returns false.
func (scope *Scope) insert(b *Block) bool {
	scope.mu.Lock()
	defer scope.mu.Unlock()
	scope.detach(b)
	if scope.closed {
		scope.bytes -= b.bytes
		b.scope.Store(nil)
		return false
	}
	scope.pushFree(b)
	return true
}

// detach takes a block off its session's live list. The caller has locked the scope.
func (scope *Scope) detach(b *Block) {
	scope.mu.AssertHeld()
	if b.session != nil {
		b.session.live.remove(b)
		b.session = nil
		scope.busy--
	}
}

// Again makes a block that Hold returned live again, in the request's session or in none, without waiting for the work
// that uses the block. It returns false if the block belongs to another scope.
func (c *Cache) Again(b *Block, r Request) bool {
	if r.Session == nil {
		if b.scope.Load() != nil {
			return false
		}
		c.makeLive(&c.bins[b.kind][b.dev], b, r)
		return true
	}
	scope := r.Session.scope
	if b.scope.Load() != scope {
		return false
	}
	scope.mu.Lock()
	if scope.closed {
		scope.mu.Unlock()
		return false
	}
	scope.detach(b)
	b.session = r.Session
	r.Session.live.push(b)
	scope.busy++
	scope.mu.Unlock()
	c.makeLive(&c.bins[b.kind][b.dev], b, r)
	return true
}

// pushFree puts a held block on its list. The caller has locked the scope.
func (scope *Scope) pushFree(b *Block) {
	scope.mu.AssertHeld()
	l := scope.free[b.binKey()]
	if l == nil {
		l = new(list)
		scope.free[b.binKey()] = l
	}
	l.push(b)
	scope.count++
	scope.c.bins[b.kind][b.dev].scoped.Add(b.bytes)
	to := Free
	if len(b.marks) != 0 {
		to = Waiting
	}
	b.leave(to)
}

// popFree takes a block of a device off the lists; of any device if device is negative.
func (scope *Scope) popFree(device int) *Block {
	scope.mu.Lock()
	defer scope.mu.Unlock()
	for k, l := range scope.free {
		if l.head != nil && (device < 0 || int(k.dev) == device) {
			b := l.head
			scope.unlist(l, b)
			scope.bytes -= b.bytes
			return b
		}
	}
	return nil
}

// trim releases the scope's free blocks of a device; of all devices if device is negative.
func (scope *Scope) trim(d Driver, device int) (bytes uint64) {
	for b := scope.popFree(device); b != nil; b = scope.popFree(device) {
		bytes += b.bytes
		b.scope.Store(nil)
		scope.c.releaseBlock(d, b)
	}
	return bytes
}

// emptyIntoCache moves the scope's free blocks to the cache's lists.
func (scope *Scope) emptyIntoCache(d Driver) {
	c := scope.c
	for b := scope.popFree(-1); b != nil; b = scope.popFree(-1) {
		b.scope.Store(nil)
		if m, o := c.cacheBlock(d, b); o == Given {
			c.releaseMemory(d, m)
		}
	}
}

// dropBlock removes a block that leaves the cache from the scope.
func (scope *Scope) dropBlock(b *Block) {
	scope.mu.Lock()
	defer scope.mu.Unlock()
	scope.detach(b)
	scope.bytes -= b.bytes
	b.scope.Store(nil)
}
