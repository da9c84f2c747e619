package streampool

import (
	"fmt"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/addrmap"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

//go:generate go tool mockgen -source=pool.go -destination=mock_test.go -package=streampool

// Driver is what the pool needs of a driver. Creation is on the calling
// thread's current device, which has to be the device that Get names.
type Driver interface {
	StreamCreate() (driver.Stream, error)
	StreamDestroy(driver.Stream) error
	StreamIdle(driver.Stream) (bool, error)
	EventCreate() (driver.Event, error)
	EventDestroy(driver.Event) error
	EventDone(driver.Event) (bool, error)
}

// Config sets the bounds of a pool; zero fields mean the defaults.
type Config struct {
	Devices     int // number of devices: 64
	MaxIdle     int // idle streams, and idle events, kept per device: 32; at most 4095
	MaxDraining int // those kept that had work pending: 128
	Queries     int // non-blocking queries that one Get makes at most: 4

	// Failed is told the error of a query: work on a stream or event that the
	// program destroyed without waiting for it has failed. Nil: nobody is told.
	Failed func(error)

	// Abandoned is called before a stream is really destroyed of which work may be
	// pending: nothing will be known of it. Nil: nobody asks.
	Abandoned func(*Entry)

	// Changed is called when a handle gets another Entry than it had, or when the
	// pool lets go of an Entry: what is remembered of either elsewhere ends there.
	// Nil: nobody remembers.
	Changed func()
}

// Pool keeps the streams and events of all devices.
type Pool struct {
	table     addrmap.Map[Entry]
	directory directory
	shelves   [kinds][]shelf
	queries   int
	failed    func(error)
	changed   func()
	abandoned func(*Entry)
	roster    roster
	quiet     atomic.Bool
	buried    addrmap.Graveyard[Entry]
}

// Outcome says what came of a Get or a Put.
type Outcome uint8

// Outcomes.
const (
	Failed    Outcome = iota // the error says why
	Created                  // Get: by the driver
	Reused                   // Get: an idle one
	Drained                  // Get: one whose pending work had finished
	Pooled                   // Put: idle now
	Deferred                 // Put: work pending, draining now
	Destroyed                // Put: really destroyed, enough others are kept
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
	for k := range p.shelves {
		p.shelves[k] = make([]shelf, or(c.Devices, 64))
		for i := range p.shelves[k] {
			s := &p.shelves[k][i]
			s.idle.limit = uint64(min(or(c.MaxIdle, 32), countMask))
			s.draining.limit = or(c.MaxDraining, 128)
		}
	}
	return p
}

// Get checks out a stream of device, which is current. Nobody else holds it,
// and no old work is pending on it.
func (p *Pool) Get(d Driver, device int) (driver.Stream, Outcome, error) {
	h, o, err := p.get(d, Stream, device)
	return driver.Stream(h), o, err
}

// GetEvent checks out an event of device, which is current.
func (p *Pool) GetEvent(d Driver, device int) (driver.Event, Outcome, error) {
	h, o, err := p.get(d, Event, device)
	return driver.Event(h), o, err
}

// Put gives a stream back. One that the pool did not create is destroyed by the
// driver. Giving back what was given back is an error the first time that it
// happens to a handle after it was checked out, and harmless always.
func (p *Pool) Put(d Driver, s driver.Stream) (Outcome, error) {
	e := p.table.Find(uintptr(s))
	if e == nil {
		return PassedOn, d.StreamDestroy(s)
	}
	if e.kind != Stream {
		return Failed, &driver.Error{
			Call: fmt.Sprintf("mgpuStreamDestroy(%#x)", uintptr(s)), Name: "InvalidHandle",
			Code: driver.InvalidHandle, Detail: fmt.Sprintf("%#x is an event, not a stream", uintptr(s)),
		}
	}
	return p.put(d, e)
}

// PutEvent gives an event back, as Put does a stream. A stream of the pool is
// accepted too and given back: some compilers destroy it as an event.
func (p *Pool) PutEvent(d Driver, ev driver.Event) (Outcome, error) {
	e := p.table.Find(uintptr(ev))
	if e == nil {
		return PassedOn, d.EventDestroy(ev)
	}
	return p.put(d, e)
}

// Find returns what the pool knows about a stream's or an event's handle, nil
// if it is foreign. The Entry stays good, and becomes stale when its handle does.
func (p *Pool) Find(handle uintptr) *Entry { return p.table.Find(handle) }

// Misuse returns an error, the first time for a handle and nil until it is
// checked out again, saying that call was given a handle that is no longer the
// program's.
func (p *Pool) Misuse(e *Entry, call string) error {
	if e == nil || e.reported.Load() || e.reported.Swap(true) {
		return nil
	}
	return &driver.Error{
		Call: fmt.Sprintf("%s(%#x)", call, e.handle), Name: "InvalidHandle", Code: driver.InvalidHandle,
		Detail: fmt.Sprintf("%s %#x was destroyed before", e.kind, e.handle),
	}
}

// SetQuiet forbids, while on, every query and destruction: a query in any thread
// breaks a stream capture that the program has under way.
func (p *Pool) SetQuiet(on bool) { p.quiet.Store(on) }

func (p *Pool) get(d Driver, k Kind, device int) (uintptr, Outcome, error) {
	if uint(device) >= uint(len(p.shelves[k])) {
		return 0, Failed, &driver.Error{
			Call: k.String() + "Create", Name: "InvalidDevice", Code: driver.InvalidDevice,
			Detail: fmt.Sprintf("device %d of %d", device, len(p.shelves[k])),
		}
	}
	s := &p.shelves[k][device]
	if e := p.take(s); e != nil {
		return e.handle, Reused, nil
	}
	if e := p.drain(d, s); e != nil {
		s.drained.Add(1)
		return e.handle, Drained, nil
	}
	h, err := create(d, k)
	if err != nil {
		return 0, Failed, err
	}
	s.created.Add(1)
	p.enter(h, k, device)
	return h, Created, nil
}

func (p *Pool) put(d Driver, e *Entry) (Outcome, error) {
	s := &p.shelves[e.kind][e.device]
	w := e.word.Load()
	if State(w&stateMask) != Live {
		return WasStale, p.Misuse(e, e.kind.destroyer())
	}
	if !e.pending(w) && e.id != 0 {
		if !s.hasRoom() {
			return p.destroyLive(d, s, e)
		}
		if e.word.CompareAndSwap(w, w&^stateMask|uint64(Idle)) {
			p.keep(s, e)
			return Pooled, nil
		}
		// A second destroy, or a submission that runs against the destroy.
		if e.State() != Live {
			return WasStale, p.Misuse(e, e.kind.destroyer())
		}
	}
	if !s.draining.hasRoom() {
		return p.destroyLive(d, s, e)
	}
	if !e.move(Live, Draining) {
		return WasStale, p.Misuse(e, e.kind.destroyer())
	}
	s.draining.add(e)
	return Deferred, nil
}

// enter puts a handle that the driver just created into the side table. An
// entry that is there already is of an object that was destroyed behind the
// pool's back, or before.
func (p *Pool) enter(h uintptr, k Kind, device int) {
	e := &Entry{handle: h, kind: k, device: int32(device)}
	e.id = p.directory.add(e)
	e.checkOut(Foreign)
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
	return d.StreamIdle(driver.Stream(e.handle))
}
