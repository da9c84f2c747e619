package streampool

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/addrmap"
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

//go:generate go tool mockgen -source=pool.go -destination=mock_test.go -package=streampool

// Driver is the part of a driver that the pool calls. Its create functions use the calling thread's current device,
// which has to be the device given to Get.
type Driver interface {
	StreamCreate() (driver.Stream, error)
	StreamDestroy(driver.Stream) error
	// StreamIdle reports whether the work of a stream is done. The program has given the stream back and does not
	// capture it.
	StreamIdle(driver.Stream) (bool, error)
	StreamCondition(driver.Stream) Condition
	StreamKnown(driver.Stream) bool         // true only if the driver knows the handle as a stream
	EndCapture(driver.Stream) (forked bool) // see driver.Capturer
	EventCreate() (driver.Event, error)
	EventDestroy(driver.Event) error
	EventDone(driver.Event) (bool, error)
	EventRecord(driver.Event, driver.Stream) error
}

// Condition is what the program has done to a stream through the driver's own library.
type Condition uint8

// Conditions.
const (
	Usable   Condition = iota
	Captured           // the program captures the stream
	Unknown            // the driver does not know the stream: the program destroyed it
)

// Config sets the bounds of a pool; zero fields mean the defaults, numbers below zero none at all.
type Config struct {
	Devices     int // number of devices; default 64
	MaxIdle     int // idle streams per device, and as many idle events; default 32, at most 4095
	MaxDraining int // draining streams per device, and as many draining events; default 128
	Queries     int // non-blocking queries per Get, at most; default 4

	// Failed is called with the error of destroying a stream or event whose work failed, if the pool destroys it after
	// the program's own call. May be nil.
	Failed func(error)

	// Abandoned is called before a stream that may have work pending is destroyed: from then on the state of that work
	// can't be known. May be nil.
	Abandoned func(*Entry)

	// Unchecked says that the driver may crash if it is asked about a stream that the program has destroyed by the
	// driver's own library. The pool then asks only about streams that the program's call names or has given back.
	Unchecked bool

	// Changed is called when a handle gets another Entry, and when the pool drops an Entry. Caches of handles or
	// Entries are invalid then. May be nil.
	Changed func()
}

// Pool holds the streams and events of all devices.
type Pool struct {
	table     addrmap.Map[Entry]
	directory directory
	freeLists [kinds][]freeList
	queries   int
	failed    func(error)
	changed   func()
	abandoned func(*Entry)
	unchecked bool
	roster    roster
	frees     frees
	retired   addrmap.Retired[Entry]

	captured captured
	losing   locks.Mutex[locks.Lost]
	lost     []*Entry // entries of forgotten handles, which stay in memory since C may read them
}

// Outcome is the result of a Get or a Put.
type Outcome uint8

// Outcomes.
const (
	Failed    Outcome = iota // the error says why
	Created                  // Get: the driver created it
	Reused                   // Get: it was idle
	Drained                  // Get: its pending work had finished
	Pooled                   // Put: it is idle now
	Deferred                 // Put: it has work pending and is draining now
	Destroyed                // Put: it was destroyed, since enough others are pooled
	PassedOn                 // Put: it is foreign, and the driver destroyed it
	WasStale                 // Put: it had been destroyed before; nothing was done
)

var outcomeNames = [...]string{
	Failed: "failed", Created: "created", Reused: "reused", Drained: "drained", Pooled: "pooled",
	Deferred: "deferred", Destroyed: "destroyed", PassedOn: "passed on", WasStale: "stale",
}

func (o Outcome) String() string { return outcomeNames[o] }

// New makes an empty pool. It makes no driver call.
func New(c Config) *Pool {
	or := func(v, otherwise int) int {
		if v == 0 {
			return otherwise
		}
		return max(v, 0)
	}
	p := &Pool{queries: or(c.Queries, 4), failed: c.Failed, changed: c.Changed, unchecked: c.Unchecked}
	if p.failed == nil {
		p.failed = func(error) {}
	}
	if p.changed == nil {
		p.changed = func() {}
	}
	if p.abandoned = c.Abandoned; p.abandoned == nil {
		p.abandoned = func(*Entry) {}
	}
	for k := range p.freeLists {
		p.freeLists[k] = make([]freeList, or(c.Devices, 64))
		for i := range p.freeLists[k] {
			s := &p.freeLists[k][i]
			s.idle.limit = uint64(min(or(c.MaxIdle, 32), countMask))
			s.draining.limit = or(c.MaxDraining, 128)
		}
	}
	return p
}

// Get checks out a stream of the device, which is the current device. No earlier work is pending on the stream.
func (p *Pool) Get(d Driver, device int) (driver.Stream, Outcome, error) {
	h, o, err := p.get(d, Stream, device)
	return driver.Stream(h), o, err
}

// GetEvent checks out an event of the device, which is the current device.
func (p *Pool) GetEvent(d Driver, device int) (driver.Event, Outcome, error) {
	h, o, err := p.get(d, Event, device)
	return driver.Event(h), o, err
}

// Put gives a stream back. The driver destroys a foreign one. Giving a stream back twice does nothing; it is an error
// the first time since the handle was checked out.
func (p *Pool) Put(d Driver, s driver.Stream) (Outcome, error) {
	e := p.table.Find(uintptr(s))
	if e == nil {
		return PassedOn, d.StreamDestroy(s)
	}
	if p.ReplacedByStream(d, e) {
		return PassedOn, d.StreamDestroy(s)
	}
	if e.kind != Stream {
		return Failed, &driver.Error{
			Call: fmt.Sprintf("mgpuStreamDestroy(%#x)", uintptr(s)), Code: driver.InvalidHandle, Detail: fmt.Sprintf("%#x is an event, not a stream", uintptr(s)),
		}
	}
	return p.put(d, e)
}

// PutEvent gives an event back, as Put does a stream. It also accepts streams of the pool, since some compilers emit
// the destruction of an event for a stream.
func (p *Pool) PutEvent(d Driver, ev driver.Event) (Outcome, error) {
	e := p.table.Find(uintptr(ev))
	if e == nil {
		return PassedOn, d.EventDestroy(ev)
	}
	if p.Replaced(d, e) {
		return PassedOn, d.EventDestroy(ev)
	}
	return p.put(d, e)
}

// Replaced reports whether the program has destroyed the stream of an entry through the driver's own library, and
// forgets the stream if so. If the program passes such a handle as an event, the handle is one of the program's own
// events.
func (p *Pool) Replaced(d Driver, e *Entry) bool {
	if e.kind != Stream || e.State() != Live || d.StreamCondition(driver.Stream(e.handle)) != Unknown {
		return false
	}
	p.forget(e)
	return true
}

// ReplacedByStream reports whether a handle that the program passes as a stream is one of its own although the pool has
// an entry for it: of an event that the program has destroyed through the driver's own library, or of an object that the
// pool has destroyed. It forgets the entry if so.
func (p *Pool) ReplacedByStream(d Driver, e *Entry) bool {
	destroyed := e.State() == Gone && !p.unchecked
	if !destroyed && (e.kind != Event || e.State() != Live) || !d.StreamKnown(driver.Stream(e.handle)) {
		return false
	}
	if destroyed {
		p.table.Delete(e.handle, e)
		p.changed()
	} else {
		p.forget(e)
	}
	return true
}

// Find returns the Entry of a stream's or event's handle, nil if the handle is foreign. The Entry stays valid memory
// after the handle is destroyed, and is stale then.
func (p *Pool) Find(handle uintptr) *Entry { return p.table.Find(handle) }

// FindStream is Find for a handle that was a stream's when it was noted. It returns nil if the handle is an event's now.
func (p *Pool) FindStream(handle uintptr) *Entry {
	if e := p.table.Find(handle); e != nil && e.kind == Stream {
		return e
	}
	return nil
}

// Misuse returns the error for a call that was given a destroyed handle. It returns the error once per check-out, then
// nil.
func (p *Pool) Misuse(e *Entry, call string) error {
	if e == nil || e.reported.Load() || e.reported.Swap(true) {
		return nil
	}
	return &driver.Error{
		Call: fmt.Sprintf("%s(%#x)", call, e.handle), Code: driver.InvalidHandle,
		Detail: fmt.Sprintf("%s %#x was destroyed before", e.kind, e.handle),
	}
}

func (p *Pool) get(d Driver, k Kind, device int) (uintptr, Outcome, error) {
	if uint(device) >= uint(len(p.freeLists[k])) {
		return 0, Failed, &driver.Error{
			Call: k.creator(), Code: driver.InvalidDevice,
			Detail: fmt.Sprintf("device %d of %d", device, len(p.freeLists[k])),
		}
	}
	s := &p.freeLists[k][device]
	if e := p.takeIdle(s); e != nil {
		return e.handle, Reused, nil
	}
	if e := p.takeDrained(d, s); e != nil {
		s.drained.Add(1)
		return e.handle, Drained, nil
	}
	h, err := create(d, k)
	if err != nil {
		return 0, Failed, err
	}
	s.created.Add(1)
	p.addEntry(h, k, device)
	return h, Created, nil
}

func (p *Pool) put(d Driver, e *Entry) (Outcome, error) {
	s := &p.freeLists[e.kind][e.device]
	w := e.word.Load()
	if State(w&stateMask) != Live {
		return WasStale, p.Misuse(e, e.kind.destroyer())
	}
	if e.kind == Stream {
		switch d.StreamCondition(driver.Stream(e.handle)) {
		case Captured:
			return p.putCaptured(d, s, e)
		case Unknown:
			p.forget(e)
			return PassedOn, e.destroy(d) // the driver reports the error, as it does without the cache
		}
	}
	recorded := p.captured.stream(e)
	if recorded != 0 && !p.capturing(d, recorded) {
		return p.destroyLive(d, s, e)
	}
	if !e.pending(w) && e.id != 0 && recorded == 0 {
		if !s.belowLimit() {
			return p.destroyLive(d, s, e)
		}
		if e.moveUnchanged(w, Live, Idle) {
			p.putIdle(s, e)
			return Pooled, nil
		}
		// Another thread has destroyed the handle, or submitted work to it, meanwhile.
		if e.State() != Live {
			return WasStale, p.Misuse(e, e.kind.destroyer())
		}
	}
	if !s.draining.belowLimit() {
		return p.destroyLive(d, s, e)
	}
	if !e.move(Live, Draining) {
		return WasStale, p.Misuse(e, e.kind.destroyer())
	}
	s.draining.pushBack(e)
	return Deferred, nil
}

// putCaptured ends the capture of a stream that the program gives back, and destroys the stream, as the driver does. A
// stream that has joined the capture of another one drains until that capture has ended.
func (p *Pool) putCaptured(d Driver, s *freeList, e *Entry) (Outcome, error) {
	if !d.EndCapture(driver.Stream(e.handle)) {
		return p.destroyLive(d, s, e)
	}
	if !e.move(Live, Draining) {
		return WasStale, p.Misuse(e, e.kind.destroyer())
	}
	e.forked = true
	s.draining.pushBack(e)
	return Deferred, nil
}

// Lose forgets all streams and events of a device, after the driver has destroyed them.
func (p *Pool) Lose(device int) {
	var all []*Entry
	p.directory.each(func(e *Entry) {
		if int(e.device) == device {
			all = append(all, e)
		}
	})
	for _, e := range all {
		p.forget(e)
	}
}

// forget makes the handle of an entry foreign, after the driver has destroyed the object. An entry in a slot, stack or
// queue is dropped when it is taken from there.
func (p *Pool) forget(e *Entry) {
	e.Synchronized(number(e.word.Load())) // the driver has ended its work
	p.table.Delete(e.handle, e)
	live := e.State() == Live
	p.disown(e)
	if !live {
		p.roster.remove(e)
	}
	p.losing.Lock()
	p.lost = append(p.lost, e)
	p.losing.Unlock()
	p.changed()
}

// addEntry adds a handle that the driver just created to the side table. If the handle already had an entry, that
// entry's object is destroyed: by the pool, or by the program through the driver's own library.
func (p *Pool) addEntry(h uintptr, k Kind, device int) {
	e := &Entry{handle: h, kind: k, device: int32(device)}
	e.id = p.directory.add(e)
	e.move(Foreign, Live)
	if k == Stream {
		p.roster.add(e)
	}
	old := p.table.Store(h, e)
	p.changed()
	if old != nil {
		p.disown(old)
	}
}

func create(d Driver, k Kind) (uintptr, error) {
	if k == Event {
		h, err := d.EventCreate()
		return uintptr(h), err
	}
	h, err := d.StreamCreate()
	return uintptr(h), err
}

func (e *Entry) destroy(d Driver) error {
	if e.kind == Event {
		return d.EventDestroy(driver.Event(e.handle))
	}
	return d.StreamDestroy(driver.Stream(e.handle))
}

func (e *Entry) done(d Driver) (bool, error) {
	if e.kind == Event {
		return d.EventDone(driver.Event(e.handle))
	}
	if s := driver.Stream(e.handle); !e.forked || d.StreamCondition(s) != Captured {
		return d.StreamIdle(s)
	}
	return false, nil
}
