package kfd

import (
	"syscall"

	"github.com/mgpu-runtime/mgpu/softgpu/rocm/hsa"
)

type createEventArgs struct {
	Page                             uint64
	Trigger, Kind, AutoReset, NodeID uint32
	ID, Slot                         uint32
}

// createEvent makes an event. The first call brings the handle of the page that kernels signal events in,
// and every answer has a place that is not 0: the thunk gives the event no mailbox otherwise.
func (d *Driver) createEvent(a *createEventArgs) syscall.Errno {
	if a.Page != 0 {
		d.mu.Lock()
		if b := d.buffers[a.Page]; b != nil && b.block != nil {
			d.events = b
			d.SetMailboxes(b.va)
		}
		d.mu.Unlock()
	} else {
		a.Page = eventPlace
	}
	id := d.NewEvent(a.Kind, a.AutoReset == 0)
	if id == 0 {
		return syscall.ENOMEM
	}
	a.ID, a.Slot, a.Trigger = id, id, id
	return 0
}

type eventArgs struct{ ID, _ uint32 }

func found(ok bool) syscall.Errno {
	if !ok {
		return syscall.EINVAL
	}
	return 0
}

func (d *Driver) destroyEvent(a *eventArgs) syscall.Errno { return found(d.RemoveEvent(a.ID)) }
func (d *Driver) setEvent(a *eventArgs) syscall.Errno     { return found(d.RaiseEvent(a.ID)) }
func (d *Driver) resetEvent(a *eventArgs) syscall.Errno   { return found(d.ClearEvent(a.ID)) }

type waitArgs struct {
	Events                   uint64
	Count, All, Time, Result uint32
}

// eventData is an element of WAIT_EVENTS' array. For signals, the first word is the age that the caller
// knows, and then the event's age. For memory faults, the words describe the fault.
type eventData struct {
	NotPresent, ReadOnly, NoExecute, Imprecise uint32
	Address                                    uint64
	GPUID, Kind                                uint32
	More                                       uint64
	ID, _                                      uint32
}

// Results of WAIT_EVENTS.
const (
	waitComplete = 0
	waitTimeout  = 1
	waitFailed   = 2
)

const mostWaits = 4096

func (d *Driver) waitEvents(a *waitArgs) syscall.Errno {
	if a.Count == 0 || a.Count > mostWaits || a.Events == 0 {
		return syscall.EINVAL
	}
	ids, ages := make([]uint32, a.Count), make([]uint64, a.Count)
	element := func(i int) uint64 { return a.Events + uint64(i)*sizeOf[eventData]() }
	for i := range ids {
		e := at[eventData](element(i))
		ids[i] = e.ID
		if d.EventKind(e.ID) == hsa.SignalEvent {
			ages[i] = *at[uint64](element(i))
		}
	}
	faults, end := d.Await(ids, a.All != 0, a.Time, ages)
	switch end {
	case hsa.NoEvent:
		return syscall.EINVAL
	case hsa.Overdue:
		a.Result = waitTimeout
		return 0
	case hsa.Vanished:
		a.Result = waitFailed
		return 0
	}
	a.Result = waitComplete
	for i, f := range faults {
		e := at[eventData](element(i))
		switch kind := d.EventKind(e.ID); {
		case kind == hsa.SignalEvent:
			*at[uint64](element(i)) = ages[i]
		case kind == hsa.MemoryEvent && f.GPU != 0:
			*e = eventData{NotPresent: 1, Address: f.Address, GPUID: d.devices[f.GPU-1].id, More: e.More, ID: e.ID}
		}
	}
	return 0
}
