package softgpu

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/check"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/profile"
)

// device is one software GPU.
type device struct {
	index   int
	heap    *heap
	machine *emu.Machine
	check   *check.Checker   // nil: kernels are not checked
	profile *profile.Profile // nil: kernels are not profiled
	null    *stream
	host    *hostSide
	trace   *trace.Switch
	took    atomic.Pointer[func(driver.Function, uint64)] // called with the duration of each launch; nil: nothing is
	timeout time.Duration                                 // limit for kernels; zero: none
	queue   uintptr                                       // address of the queue's description, for kernels

	registered *registrations // the driver's registrations

	order   sync.Mutex // serializes submissions
	streams []*stream  // all streams that exist or still have work, without the null stream
	orphans []*failure // failures of streams that are gone
}

// submit puts o on s, with the order of streams with HIP's default flag: work on the null stream waits for all earlier
// work of the device, and work on any other stream waits for the null stream's earlier work.
func (d *device) submit(s *stream, o op, wait bool) fence {
	d.order.Lock()
	defer d.order.Unlock()
	return d.submitOrdered(s, o, wait)
}

func (d *device) submitOrdered(s *stream, o op, wait bool) fence {
	if s == d.null {
		for _, other := range d.streams {
			if other.unsettled() {
				o.more = append(o.more, other.last())
			}
		}
	} else if d.null.unsettled() {
		o.after[1] = d.null.last()
	}
	if d.check != nil && o.kind == opLaunch {
		o.call = d.check.Call()
	}
	if t := d.trace.On(); t != nil {
		o.submitted, o.thread = t.Now(), t.Thread()
	}
	return s.push(o, wait)
}

// mark returns the fence after all that s has to do so far.
func (d *device) mark(s *stream) fence {
	d.order.Lock()
	defer d.order.Unlock()
	if s == d.null && !d.others((*stream).unsettled) || s != d.null && !d.null.unsettled() {
		return s.last()
	}
	return d.submitOrdered(s, op{kind: opWait}, false)
}

// delays reports whether work submitted to s now would have to wait.
func (d *device) delays(s *stream) bool {
	d.order.Lock()
	defer d.order.Unlock()
	return s.pending() || d.null.pending() || s == d.null && d.others((*stream).pending)
}

// others reports whether are is true for a stream other than the null stream.
func (d *device) others(are func(*stream) bool) bool { return slices.ContainsFunc(d.streams, are) }

// quiet reports whether no stream of the device has work.
func (d *device) quiet() bool {
	d.order.Lock()
	defer d.order.Unlock()
	return !d.null.pending() && !d.others((*stream).pending)
}

// synchronize waits for all work submitted to the device, and takes the first failure that has not been reported.
func (d *device) synchronize() error {
	var room [8]fence
	for _, f := range d.drain(room[:0]) {
		if err := f.s.failed(f.n); err != nil {
			return err
		}
	}
	d.order.Lock()
	defer d.order.Unlock()
	d.sweep()
	for len(d.orphans) > 0 {
		first := d.orphans[0]
		d.orphans = d.orphans[1:]
		if err := first.tell(); err != nil {
			return err
		}
	}
	return nil
}

// drain waits for all work submitted to the device. It appends the fences for which it waited.
func (d *device) drain(fences []fence) []fence {
	d.order.Lock()
	fences = append(fences, d.null.last())
	for _, s := range d.streams {
		fences = append(fences, s.last())
	}
	d.order.Unlock()
	for _, f := range fences {
		f.wait()
	}
	return fences
}

func (d *device) remember(s *stream) {
	d.order.Lock()
	defer d.order.Unlock()
	d.sweep()
	d.streams = append(d.streams, s)
}

// abandon notes that the program has destroyed s, which may have work. If s has no work, abandon returns the failure
// that has not been reported.
func (d *device) abandon(s *stream) error {
	d.order.Lock()
	defer d.order.Unlock()
	s.gone = true
	var err error
	if !s.pending() {
		err = s.failed(s.done.Load())
	}
	d.sweep()
	return err
}

// sweep drops destroyed streams without work. The caller has locked order.
func (d *device) sweep() {
	kept := d.streams[:0]
	for _, s := range d.streams {
		if !s.gone || s.pending() {
			kept = append(kept, s)
		} else {
			d.orphans = append(d.orphans, s.untold(s.done.Load())...)
		}
	}
	clear(d.streams[len(kept):])
	d.streams = kept
}
