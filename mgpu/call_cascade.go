package mgpu

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// cascade counts calls that fail only because something failed before. The first failure is
// printed, these are counted.
type cascade struct {
	broken atomic.Bool // a load or a look-up has failed, and returned null
	counts [listedCalls]atomic.Uint64

	mu         sync.Mutex
	undriven   map[string]uint64 // by name, calls since the first for which no driver could be opened
	toldOfThat bool
}

// failedToOpen reports that a call has no driver: a setting may be wrong, which no later call
// changes.
func (r *Runtime) failedToOpen(call string) {
	c := &r.cascade
	c.mu.Lock()
	told := c.toldOfThat
	c.toldOfThat = true
	if told {
		if c.undriven == nil {
			c.undriven = map[string]uint64{}
		}
		c.undriven[call]++
	}
	c.mu.Unlock()
	if told {
		r.note(driver.NoDevice, fmt.Sprintf("'%s' failed with '%v'", call, r.fail))
		return
	}
	r.report(call, r.fail)
}

// failedToGive is rejected for a call that returns a module or a function.
func (f *frame) failedToGive(err error) bool {
	if err == nil {
		return false
	}
	f.r.cascade.broken.Store(true)
	return f.rejected(err)
}

// failedOn reports err, the failure of a call on a module or a function, unless it is the
// consequence of an earlier failure.
func (f *frame) failedOn(handle uintptr, err error) bool {
	if err == nil || handle != 0 || !f.r.cascade.broken.Load() {
		return f.failed(err)
	}
	f.r.cascade.counts[f.call].Add(1)
	code := driver.Unknown
	if de := (*driver.Error)(nil); errors.As(err, &de) {
		code = de.Code
	}
	f.r.note(code, err.Error())
	return true
}

// failedToGiveFrom is failedToGive for a look-up in a module.
func (f *frame) failedToGiveFrom(module uintptr, err error) bool {
	if err == nil {
		return false
	}
	f.counters.others.Add(1)
	f.failedOn(module, err)
	f.r.cascade.broken.Store(true)
	return true
}

// Cascade is lines about the calls that failed only because something had before; none if there
// were no such calls.
func (r *Runtime) Cascade() (lines []string) {
	c := &r.cascade
	var parts []string
	for i := range c.counts {
		if n := c.counts[i].Load(); n != 0 {
			parts = append(parts, fmt.Sprintf("%s %d", callNames[i], n))
		}
	}
	if parts != nil {
		lines = append(lines, "mgpu: calls that failed only because a load or a look-up before had failed: "+strings.Join(parts, ", "))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	parts = nil
	for _, call := range slices.Sorted(maps.Keys(c.undriven)) {
		parts = append(parts, fmt.Sprintf("%s %d", call, c.undriven[call]))
	}
	if parts != nil {
		lines = append(lines, "mgpu: further calls that failed because no driver could be opened: "+strings.Join(parts, ", "))
	}
	return lines
}
