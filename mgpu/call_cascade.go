package mgpu

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// cascade counts calls that fail only because an earlier call failed and returned null: the
// program passed the null handle on. The first failure is printed, these are counted.
type cascade struct {
	broken atomic.Bool // a load or a look-up has failed, and returned null
	counts [listedCalls]atomic.Uint64
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

// Cascade is a line about the calls that failed only because earlier ones had, without a
// line's end; empty if there were none.
func (r *Runtime) Cascade() string {
	var parts []string
	for i := range r.cascade.counts {
		if n := r.cascade.counts[i].Load(); n != 0 {
			parts = append(parts, fmt.Sprintf("%s %d", callNames[i], n))
		}
	}
	if parts == nil {
		return ""
	}
	return "mgpu: calls that failed only because a load or a look-up before had failed: " + strings.Join(parts, ", ")
}
