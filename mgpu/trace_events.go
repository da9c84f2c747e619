package mgpu

import (
	"fmt"
	"slices"

	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// eventTimes times work by pairs of the driver's events, for the timeline. The events are recorded on the work's own
// stream, before and after the work. None are recorded while the program captures a stream. The library does not wait
// for them: at the program's own waits it checks which pairs are done.
type eventTimes struct {
	timer    driver.EventTimer
	drv      driver.Driver
	captures func(*meter) bool // reports whether the program captures any stream
	told     func(line string)

	mu      locks.Mutex[locks.Events]
	devices []timedDevice
}

// timedDevice is one device's events.
type timedDevice struct {
	free  []driver.Event
	open  []timedWork
	base  moment
	last  map[driver.Stream]moment // by stream: the moment from which later ones are measured
	ready bool
	over  bool // the driver can't time work
}

// moment is an event and its time by the recorder's clock.
type moment struct {
	event driver.Event
	at    int64
}

// timedWork is a pair of events around work. The zero value is unused.
type timedWork struct {
	times      *eventTimes
	m          *meter
	to         *trace.Recorder
	device     int
	start, end driver.Event
	work       trace.Work
}

// maxOpenTimings bounds the work of a device that is timed and that the program has not waited for.
const maxOpenTimings = 4096

// recount is the time in nanoseconds after which a stream's moment is replaced. Until then the driver's floats are
// exact to a microsecond.
const recount = 4_000_000_000

// newEventTimes returns nil if the driver has no such events.
func newEventTimes(drv driver.Driver, devices int, captures func(*meter) bool, told func(string)) *eventTimes {
	timer, ok := drv.(driver.EventTimer)
	if !ok {
		return nil
	}
	return &eventTimes{timer: timer, drv: drv, captures: captures, told: told, devices: make([]timedDevice, devices)}
}

// timed implements workTimes.
func (e *eventTimes) timed(m *meter, s driver.Stream, w trace.Work) timing {
	to := m.stats.trace.On()
	if to == nil {
		return timing{}
	}
	w.Stream, w.Submitted, w.Thread = uintptr(s), to.Now(), to.Thread()
	return timing{e.begin(timedWork{times: e, m: m, to: to, work: w}).stop}
}

func (e *eventTimes) begin(t timedWork) timedWork {
	s := driver.Stream(t.work.Stream)
	if e.captured(t.m, s) {
		return timedWork{}
	}
	device, err := t.m.drv.Device()
	if err != nil || device < 0 || device >= len(e.devices) {
		return timedWork{}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	d := &e.devices[device]
	if d.over || len(d.open) >= maxOpenTimings {
		return timedWork{}
	}
	t.device, t.work.Device = device, device
	if !d.ready {
		err = e.start(t.m.drv, d, t.to)
	}
	if err == nil {
		t.start, err = e.newEvent(d)
	}
	if err == nil {
		t.end, err = e.newEvent(d)
	}
	if err == nil {
		err = t.m.drv.EventRecord(t.start, s)
	}
	if err != nil {
		e.giveUp(d, err)
		return timedWork{}
	}
	return t
}

// captured reports whether the program captures the stream, or any stream.
func (e *eventTimes) captured(m *meter, s driver.Stream) bool {
	c, ok := e.drv.(driver.Capturer)
	if !ok {
		return false
	}
	if on, err := c.Capturing(s); s != 0 && (on || err != nil) {
		return true
	}
	return e.captures(m)
}

// start determines the recorder's time at a moment of the device.
func (e *eventTimes) start(drv driver.Driver, d *timedDevice, to *trace.Recorder) error {
	first, err := e.timer.TimedEventCreate()
	if err != nil {
		return err
	}
	s, err := drv.StreamCreate()
	if err != nil {
		return err
	}
	before := to.Now()
	if err = drv.EventRecord(first, s); err == nil {
		err = drv.EventSynchronize(first)
	}
	d.base, d.last, d.ready = moment{first, (before + to.Now()) / 2}, map[driver.Stream]moment{}, true
	if destroyed := drv.StreamDestroy(s); err == nil {
		err = destroyed
	}
	if err == nil { // the driver reports here if it lacks the function
		_, err = e.timer.EventElapsed(first, first)
	}
	return err
}

// newEvent returns a free event, or creates one. The caller has locked e.mu.
func (e *eventTimes) newEvent(d *timedDevice) (driver.Event, error) {
	if n := len(d.free); n > 0 {
		ev := d.free[n-1]
		d.free = d.free[:n-1]
		return ev, nil
	}
	return e.timer.TimedEventCreate()
}

// giveUp ends the timing of a device. The caller has locked e.mu.
func (e *eventTimes) giveUp(d *timedDevice, err error) {
	d.over = true
	if e.told != nil {
		e.told(fmt.Sprintf("mgpu: trace: no times by events: %v", err))
	}
}

// stop records the end of the work, if it is timed.
func (t timedWork) stop() {
	if t.times == nil {
		return
	}
	err := t.m.drv.EventRecord(t.end, driver.Stream(t.work.Stream))
	t.times.mu.Lock()
	defer t.times.mu.Unlock()
	d := &t.times.devices[t.device]
	if err != nil { // the work itself may have failed
		d.free = append(d.free, t.start, t.end)
		return
	}
	d.open = append(d.open, t)
}

// collect records the work of the current device that is done.
func (e *eventTimes) collect(m *meter) {
	to := m.stats.trace.On()
	device, err := m.drv.Device()
	if err != nil || device < 0 || device >= len(e.devices) || to == nil || e.captured(m, 0) {
		return
	}
	if c, ok := m.drv.(driver.Capturer); ok {
		defer relaxCaptureMode(c).restore()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	d := &e.devices[device]
	late := map[driver.Stream]bool{} // streams whose next work is not done yet
	d.open = slices.DeleteFunc(d.open, func(t timedWork) bool {
		s := driver.Stream(t.work.Stream)
		if d.over || late[s] {
			return d.over
		}
		done, err := m.drv.EventDone(t.end)
		if err == nil && !done {
			late[s] = true
			return false
		}
		if err == nil && t.to == to {
			err = e.finish(d, t, s)
		} else {
			d.free = append(d.free, t.start, t.end)
		}
		if err != nil {
			e.giveUp(d, err)
		}
		return true
	})
}

// finish records one timedWork that is done, and makes its events free.
func (e *eventTimes) finish(d *timedDevice, t timedWork, s driver.Stream) error {
	from, ok := d.last[s]
	if !ok {
		from = d.base
	}
	after, err := e.timer.EventElapsed(from.event, t.start)
	if err != nil {
		return err
	}
	took, err := e.timer.EventElapsed(t.start, t.end)
	if err != nil {
		return err
	}
	at := from.at + after
	// The two clocks drift apart. The work lies between its submission and now.
	drift := max(t.work.Submitted-at, 0)
	if late := at + took - t.to.Now(); late > 0 {
		drift = max(-late, t.work.Submitted-at)
	}
	t.work.Start, t.work.End = at+drift, at+drift+took
	t.to.Device(&t.work)
	if t.work.Kernel != 0 && t.m.stats.timing {
		t.m.stats.kernels.worked(driver.Function(t.work.Kernel), uint64(max(took, 0)))
	}
	d.free = append(d.free, t.end)
	if from.at += drift; after > recount || !ok {
		if ok {
			d.free = append(d.free, from.event)
		}
		from = moment{t.start, t.work.Start}
	} else {
		d.free = append(d.free, t.start)
	}
	d.last[s] = from
	return nil
}
