package alloccache

// allocScoped is Alloc in a scope: a block that the scope has, for which it waits if
// need be, or a new one for it.
func (c *Cache) allocScoped(d Driver, s *shelf, r Request, class uint32, size uint64) (*Block, Outcome, error) {
	scope := r.Session.scope
	b, waited, err := scope.take(d, s, slot{class, uint16(r.Device), r.Kind}, size, r.Stream)
	if err != nil {
		return nil, Failed, err
	}
	o := Reused
	switch {
	case b == nil:
		if b, o = c.take(d, s, r, class, size); b == nil {
			if b, err = c.grow(d, s, r, class, size); err != nil {
				return nil, Failed, err
			}
			o = Allocated
			s.counts.allocated.Add(1)
		}
		if b.exact { // nobody can be given it again
			c.give(s, b, r)
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
	c.give(s, b, r)
	return b, o, nil
}

// adopt makes a block that is held the scope's.
func (scope *Scope) adopt(b *Block) {
	for { // no longer for freeLists
		w := b.word.Load()
		if b.word.CompareAndSwap(w, w&^quickBit) {
			break
		}
	}
	b.home.Store(scope)
	scope.mu.Lock()
	scope.bytes += b.bytes
	scope.mu.Unlock()
}

// take takes a block of the scope's, waiting for the one that was freed first if
// none is ready; nil: there is none at all.
func (scope *Scope) take(d Driver, s *shelf, k slot, size uint64, stream uintptr) (b *Block, waited bool, err error) {
	scope.mu.Lock()
	l := scope.free[k]
	if l == nil {
		scope.mu.Unlock()
		return nil, false, nil
	}
	w := wanted{k.class, size, scope.c.cfg.Exact, stream, scope.c.cfg.Level == Stream}
	var last *Block // that fits: the one that was freed first
	for b = l.head; b != nil; b = b.next {
		if !w.fits(b) {
			continue
		}
		if last = b; b.ready() || w.ordered && b.stream == stream {
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
	scope.drop(l, b)
	scope.mu.Unlock()
	if !waited {
		return b, false, nil
	}
	for _, m := range b.marks {
		if m.covered() {
			continue
		}
		if d.Quiet() { // it can't be waited for
			scope.put(b)
			return nil, false, nil
		}
		s.counts.scopeWaits.Add(1)
		if err := d.Await(m); err != nil {
			scope.put(b)
			return nil, false, err
		}
	}
	return b, true, nil
}

// drop takes a block off its list; the scope is locked, and the caller holds the
// block afterwards.
func (scope *Scope) drop(l *list, b *Block) {
	l.remove(b)
	scope.count--
	scope.c.shelves[b.kind][b.dev].scoped.Add(-b.bytes)
	b.move(b.State(), Held)
}

// put puts a block that is held, and was live until now or taken before, on its list.
// false: the scope has been destroyed, and has the block no longer.
func (scope *Scope) put(b *Block) bool {
	scope.mu.Lock()
	defer scope.mu.Unlock()
	scope.leave(b)
	if scope.closed {
		scope.bytes -= b.bytes
		b.home.Store(nil)
		return false
	}
	scope.add(b)
	return true
}

// leave ends that a session has a block; the scope is locked.
func (scope *Scope) leave(b *Block) {
	if b.session != nil {
		b.session.live.remove(b)
		b.session = nil
		scope.busy--
	}
}

// Again gives a block, which Hold took and nobody else may have, to its scope's session
// anew. It does not wait for what used the block before. false: it can't be given to
// the session.
func (c *Cache) Again(b *Block, r Request) bool {
	scope := r.Session.scope
	if b.home.Load() != scope {
		return false
	}
	scope.mu.Lock()
	if scope.closed {
		scope.mu.Unlock()
		return false
	}
	scope.leave(b)
	b.session = r.Session
	r.Session.live.push(b)
	scope.busy++
	scope.mu.Unlock()
	c.give(&c.shelves[b.kind][b.dev], b, r)
	return true
}

// add puts a block that is held on its list; the scope is locked.
func (scope *Scope) add(b *Block) {
	l := scope.free[b.slot()]
	if l == nil {
		l = new(list)
		scope.free[b.slot()] = l
	}
	l.push(b)
	scope.count++
	scope.c.shelves[b.kind][b.dev].scoped.Add(b.bytes)
	to := Free
	if len(b.marks) != 0 {
		to = Waiting
	}
	b.move(Held, to)
}

// pop takes any block of a device, of any if it is negative, off the lists.
func (scope *Scope) pop(device int) *Block {
	scope.mu.Lock()
	defer scope.mu.Unlock()
	for k, l := range scope.free {
		if l.head != nil && (device < 0 || int(k.dev) == device) {
			b := l.head
			scope.drop(l, b)
			scope.bytes -= b.bytes
			return b
		}
	}
	return nil
}

// trim gives the scope's free blocks of a device, or all, back to the driver.
func (scope *Scope) trim(d Driver, device int) (bytes uint64) {
	for b := scope.pop(device); b != nil; b = scope.pop(device) {
		bytes += b.bytes
		b.home.Store(nil)
		scope.c.release(d, b)
	}
	return bytes
}

// empty gives the scope's blocks to everybody: they are kept as if the program had
// just freed them.
func (scope *Scope) empty(d Driver) {
	c := scope.c
	for b := scope.pop(-1); b != nil; b = scope.pop(-1) {
		b.home.Store(nil)
		if m, o := c.keep(d, b); o == Given {
			c.free(d, m)
		}
	}
}

// lose takes a block that is gone, and was live, off the scope.
func (scope *Scope) lose(b *Block) {
	scope.mu.Lock()
	defer scope.mu.Unlock()
	scope.leave(b)
	scope.bytes -= b.bytes
	b.home.Store(nil)
}
