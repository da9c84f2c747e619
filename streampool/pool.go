package streampool

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/addrmap"
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

//go:generate go tool mockgen -source=pool.go -destination=mock_test.go -package=streampool

// Driver is the part of a driver that the pool calls. It creates on the calling thread's
// current device, which has to be the device given to Get.
type Driver interface {
	StreamCreate() (driver.Stream, error)
	StreamDestroy(driver.Stream) error
	// StreamIdle reports whether the work of a stream that the program has given back,
	// and does not capture, is done.
	StreamIdle(driver.Stream) (bool, error)
	StreamCondition(driver.Stream) Condition
	StreamKnown(driver.Stream) bool         // the driver says that a handle is a stream; false if it can't
	EndCapture(driver.Stream) (forked bool) // see driver.Capturer
	EventCreate() (driver.Event, error)
	EventDestroy(driver.Event) error
	EventDone(driver.Event) (bool, error)
}

// Condition says what the program has done to a stream by the vendor's library.
type Condition uint8

// Conditions.
const (
	Usable   Condition = iota
	Captured           // it captures the stream
	Unknown            // the driver does not know the stream: it was destroyed
)

// Config sets the bounds of a pool; zero fields mean the defaults.
type Config struct {
	Devices     int // number of devices: 64
	MaxIdle     int // idle streams, and as many idle events, per device: 32; at most 4095
	MaxDraining int // draining ones: 128
	Queries     int // non-blocking queries per Get, at most: 4

	// Failed is called with the error of destroying, later than the program asked for it, a
	// stream or event whose work failed. May be nil.
	Failed func(error)

	// Abandoned is called before a stream that may have work pending is destroyed: the
	// state of that work is unknown from then on. May be nil.
	Abandoned func(*Entry)

	// Changed is called when a handle gets another Entry, and when the pool drops an
	// Entry: caches of handles or Entries are void then. May be nil.
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
	roster    roster
	frees     frees
	retired   addrmap.Retired[Entry]

	captured captured
	losing   locks.Mutex[locks.Lost]
	lost     []*Entry // forgotten ones: C may read them
}

// Outcome is the result of a Get or a Put.
type Outcome uint8

// Outcomes.
const (
	Failed    Outcome = iota // the error says why
	Created                  // Get: by the driver
	Reused                   // Get: an idle one
	Drained                  // Get: one whose pending work had finished
	Pooled                   // Put: idle now
	Deferred                 // Put: work pending, draining now
	Destroyed                // Put: destroyed, enough others are pooled
	PassedOn                 // Put: foreign, destroyed by the driver
	WasStale                 // Put: destroyed before; nothing was done
)

var outcomeNames = [...]string{
	Failed: "failed", Created: "created", Reused: "reused", Drained: "drained", Pooled: "pooled",
	Deferred: "deferred", Destroyed: "destroyed", PassedOn: "passed on", WasStale: "stale",
}

func (o Outcome) String() string { return outcomeNames[o] }

// New makes an empty pool; it calls no driver.
func New(c Config) *Pool {
	or := func(v, otherwise int) int {
		if v <= 0 {
			return otherwise
		}
		return v
	}
	p := &Pool{queries: or(c.Queries, 4), failed: c.Failed, changed: c.Changed}
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

// Get checks out a stream of device, which is current. No earlier work is pending on it.
func (p *Pool) Get(d Driver, device int) (driver.Stream, Outcome, error) {
	h, o, err := p.get(d, Stream, device)
	return driver.Stream(h), o, err
}

// GetEvent checks out an event of device, which is current.
func (p *Pool) GetEvent(d Driver, device int) (driver.Event, Outcome, error) {
	h, o, err := p.get(d, Event, device)
	return driver.Event(h), o, err
}

// Put gives a stream back; the driver destroys a foreign one. Giving a stream back twice
// does nothing, and is an error the first time since the handle was checked out.
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

// PutEvent gives an event back, as Put does a stream. It accepts streams of the pool too:
// some compilers destroy a stream as an event.
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

// Replaced reports whether the stream of an entry was destroyed by the vendor's library, and
// forgets it: a handle that the program gives as an event is then that of an event of its own.
func (p *Pool) Replaced(d Driver, e *Entry) bool {
	if e.kind != Stream || e.State() != Live || d.StreamCondition(driver.Stream(e.handle)) != Unknown {
		return false
	}
	p.forget(e)
	return true
}

// ReplacedByStream reports the same of an event's entry whose handle is given as a stream.
func (p *Pool) ReplacedByStream(d Driver, e *Entry) bool {
	if e.kind != Event || e.State() != Live || !d.StreamKnown(driver.Stream(e.handle)) {
		return false
	}
	p.forget(e)
	return true
}

// Find returns the Entry of a stream's or event's handle, nil if it is foreign. The Entry
// stays valid memory; it becomes stale with its handle.
func (p *Pool) Find(handle uintptr) *Entry { return p.table.Find(handle) }

// Misuse returns the error for a call that was given a destroyed handle: once per
// checkout, nil afterwards.
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
			return PassedOn, e.destroy(d) // the driver says what is wrong, as it does to stock
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
		// A second destroy, or a submission at the same time.
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

// putCaptured ends the capture of a stream that is given back, and the stream with it, as a
// destroyed stream's capture ends. A stream that has joined the capture of another one drains
// until that is over.
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

// Lose forgets all streams and events of a device, which the driver has destroyed.
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

// forget makes the handle of an entry foreign: the driver has destroyed the object. An entry in
// a slot, stack or queue is dropped when it is taken from there.
func (p *Pool) forget(e *Entry) {
	e.Synchronized(number(e.word.Load())) // its work is over, too
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

// addEntry puts a handle that the driver just created into the side table. A former entry
// of the handle belongs to an object that was destroyed before, by the pool or not.
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
