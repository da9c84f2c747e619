package mgpu

import (
	"fmt"
	"slices"

	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// eventTimes times work by pairs of the driver's events, for the timeline. Their records go
// into the work's own stream, before and behind it; there are none while the program
// captures a stream. Nothing waits for them: the program's own waits look which pairs are done.
type eventTimes struct {
	timer    driver.EventTimer
	drv      driver.Driver
	captures func(*meter) bool // whether the program captures any stream
	told     func(line string)

	mu      locks.Mutex[locks.Events]
	devices []timedDevice
}

// timedDevice is one device's events.
type timedDevice struct {
	free  []driver.Event
	open  []timedWork
	base  moment
	last  map[driver.Stream]moment // a stream's moment that later ones are counted from
	ready bool
	over  bool // the driver can't
}

// moment is an event and when it was, by the recorder's clock.
type moment struct {
	event driver.Event
	at    int64
}

// timedWork is a pair of events around work. The zero value is none.
type timedWork struct {
	times      *eventTimes
	m          *meter
	to         *trace.Recorder
	device     int
	start, end driver.Event
	work       trace.Work
}

// maxOpenTimings is how much work of a device is timed that nobody has waited for.
const maxOpenTimings = 4096

// recount is after how many nanoseconds a stream's moment is replaced: the driver's floats are
// exact to a microsecond until then.
const recount = 4_000_000_000

// newEventTimes returns nil where the driver has no such events.
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

// captured reports whether the program captures a stream, or any.
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

// start finds what the recorder's clock shows at a moment of the device's.
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
	if err == nil { // a driver that lacks the function says so now
		_, err = e.timer.EventElapsed(first, first)
	}
	return err
}

// newEvent returns an event that is free, or creates one. e.mu is held.
func (e *eventTimes) newEvent(d *timedDevice) (driver.Event, error) {
	if n := len(d.free); n > 0 {
		ev := d.free[n-1]
		d.free = d.free[:n-1]
		return ev, nil
	}
	return e.timer.TimedEventCreate()
}

// giveUp ends the timedWork of a device. e.mu is held.
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
	late := map[driver.Stream]bool{} // streams whose next work is not done either
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

// finish records one timedWork that is done, and takes its events back.
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
	// The two clocks drift apart: work lies between its submission and now.
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
