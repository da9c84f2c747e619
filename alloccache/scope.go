package alloccache

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/count"
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Scope owns the blocks that its sessions allocate, for reuse by later sessions.
type Scope struct {
	c *Cache

	mu     locks.Mutex[locks.Scope]
	free   map[binKey]*list // blocks with and without marks
	count  int              // blocks on the lists
	open   int              // sessions
	busy   int              // blocks that are live
	bytes  uint64           // bytes of all its blocks
	closed bool
}

// binKey is equal for blocks of a scope that can replace each other.
type binKey struct {
	class uint32
	dev   uint16
	kind  Kind
}

func (b *Block) binKey() binKey { return binKey{b.class, b.dev, b.kind} }

// Session is one use of a scope, from Begin to End.
type Session struct {
	scope *Scope
	live  list // blocks allocated in the session and not freed
}

// ScopeInfo counts the blocks of a scope.
type ScopeInfo struct {
	Free, Busy uint64 // blocks
	Bytes      uint64 // bytes of both
}

// scopes maps handles to scopes and open sessions. Handles are small numbers that are not reused.
type scopes struct {
	mu       locks.RWMutex[locks.Scopes]
	last     uintptr
	byID     map[uintptr]*Scope
	sessions map[uintptr]*Session
}

func (s *scopes) all() []*Scope {
	s.mu.RLock()
	defer s.mu.RUnlock()
	all := make([]*Scope, 0, len(s.byID))
	for _, scope := range s.byID {
		all = append(all, scope)
	}
	return all
}

func (s *scopes) find(id uintptr) *Scope {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.byID[id]
}

// CreateScope makes a scope and returns its handle.
func (c *Cache) CreateScope() uintptr {
	s := &c.scopes
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byID == nil {
		s.byID, s.sessions = map[uintptr]*Scope{}, map[uintptr]*Session{}
	}
	s.last++
	s.byID[s.last] = &Scope{c: c, free: map[binKey]*list{}}
	return s.last
}

// Begin opens a scope and returns the handle of the session.
func (c *Cache) Begin(id uintptr) (uintptr, error) {
	scope := c.scopes.find(id)
	if scope == nil {
		return 0, noScope("mgpuxAllocCacheBegin", id)
	}
	scope.mu.Lock()
	if scope.closed {
		scope.mu.Unlock()
		return 0, noScope("mgpuxAllocCacheBegin", id)
	}
	scope.open++
	scope.mu.Unlock()
	s := &c.scopes
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	s.sessions[s.last] = &Session{scope: scope}
	return s.last, nil
}

// SessionOf returns the open session of a handle; nil if the session has ended.
func (c *Cache) SessionOf(handle uintptr) *Session {
	c.scopes.mu.RLock()
	defer c.scopes.mu.RUnlock()
	return c.scopes.sessions[handle]
}

// End ends a session of a scope. The blocks that the session allocated become free in the scope.
func (c *Cache) End(d Driver, id, session uintptr) error {
	scope, s := c.scopes.find(id), c.SessionOf(session)
	if scope == nil {
		return noScope("mgpuxAllocCacheEnd", id)
	}
	if s == nil || s.scope != scope {
		return &driver.Error{Call: fmt.Sprintf("mgpuxAllocCacheEnd(%#x)", id), Code: driver.InvalidValue,
			Detail: "this scope is not the one that the thread began last"}
	}
	c.scopes.mu.Lock()
	delete(c.scopes.sessions, session)
	c.scopes.mu.Unlock()
	marks := c.cfg.Pending(nil)
	scope.mu.Lock()
	defer scope.mu.Unlock()
	scope.open--
	for b := s.live.head; b != nil; b = s.live.head {
		s.live.remove(b)
		b.session = nil
		scope.busy--
		if b.move(Live, Held) {
			b.stamp.Store(c.cfg.Now())
			b.marks = append(b.marks[:0], marks...)
			scope.pushFree(b)
		}
	}
	return nil
}

// ScopeInfo counts the blocks of a scope.
func (c *Cache) ScopeInfo(id uintptr) (ScopeInfo, error) {
	scope := c.scopes.find(id)
	if scope == nil {
		return ScopeInfo{}, noScope("mgpuxAllocCacheInfo", id)
	}
	scope.mu.Lock()
	defer scope.mu.Unlock()
	return ScopeInfo{Free: uint64(scope.count), Busy: uint64(scope.busy), Bytes: scope.bytes}, nil
}

// TrimScope releases the free blocks of a scope and returns their bytes.
func (c *Cache) TrimScope(d Driver, id uintptr) (uint64, error) {
	scope := c.scopes.find(id)
	if scope == nil {
		return 0, noScope("mgpuxAllocCacheTrim", id)
	}
	if d.Quiet() {
		return 0, nil
	}
	return scope.trim(d, -1), nil
}

// DestroyScope destroys a scope. Its blocks become free for everybody. It fails if the scope is open or has live
// blocks.
func (c *Cache) DestroyScope(d Driver, id uintptr) error {
	scope := c.scopes.find(id)
	if scope == nil {
		return noScope("mgpuxAllocCacheDestroy", id)
	}
	scope.mu.Lock()
	open, busy := scope.open, scope.busy
	scope.closed = open == 0 && busy == 0
	scope.mu.Unlock()
	if open != 0 || busy != 0 {
		return &driver.Error{Call: fmt.Sprintf("mgpuxAllocCacheDestroy(%#x)", id), Code: driver.InvalidValue,
			Detail: fmt.Sprintf("it is in use: begun %s more than ended, %s allocated", count.Of(open, "time"), count.Of(busy, "block"))}
	}
	c.scopes.mu.Lock()
	delete(c.scopes.byID, id)
	c.scopes.mu.Unlock()
	scope.emptyIntoCache(d)
	return nil
}

func noScope(call string, id uintptr) error {
	return &driver.Error{Call: fmt.Sprintf("%s(%#x)", call, id), Code: driver.InvalidHandle,
		Detail: "there is no such cache, or it was destroyed before"}
}
