package kfd

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"syscall"

	"github.com/mgpu-runtime/mgpu/internal/hostmem"
	"github.com/mgpu-runtime/mgpu/softgpu/rocm/hsa"
)

const aqlQueue = 2 // KFD_IOC_QUEUE_TYPE_COMPUTE_AQL

// queue is the driver's entry of a queue.
type queue struct {
	device *device
	bell   int // slot of its doorbell
}

type createQueueArgs struct {
	Ring, Write, Read, Doorbell uint64
	Size, GPUID, Kind, Percent  uint32
	Priority, ID                uint32
	EOP, EOPSize                uint64
	Save                        uint64
	SaveSize, ControlStackSize  uint32
}

// createQueue makes an AQL queue. There are no queues of copy engines here, so the runtime copies with kernels.
func (d *Driver) createQueue(a *createQueueArgs) syscall.Errno {
	g := d.byID(a.GPUID)
	if g == nil || a.Kind != aqlQueue {
		return syscall.EINVAL
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	slot := 0
	for slot < len(g.bells) && g.bells[slot] {
		slot++
	}
	if slot == len(g.bells) {
		return syscall.ENOMEM
	}
	if !d.runtime && d.findDebug != nil {
		d.SetDebug(d.findDebug())
	}
	save := a.Save
	id, err := d.NewQueue(hsa.QueueOptions{
		Node: g.node, Ring: a.Ring, Size: uint64(a.Size), Read: a.Read, Write: a.Write, Percent: a.Percent,
		Fails: func(code uint64) bool { return d.reportInSaveArea(save, code) },
	})
	if err != nil {
		return errnoOf(err)
	}
	g.bells[slot] = true
	d.queues[id] = &queue{device: g, bell: slot}
	a.ID = uint32(id)
	a.Doorbell = bellsPlace + uint64(g.node)<<gpuShift + 8*uint64(slot)
	return 0
}

// Offsets in the header of a queue's save area, which the thunk fills in.
const (
	saveReasonAt = 24 // address of the word that takes the reasons of errors
	saveEventAt  = 32
	saveHeader   = 40
)

// exceptions are the numbers of KFD's exceptions by the bit of the queue's inactive signal.
var exceptions = map[int]uint{
	1: 16, // dimensions
	2: 17, // workgroup memory
	3: 18, // code
	5: 20, // packet
	6: 21, // workgroup's size
	7: 22, // registers
	8: 23, // vendor packet

	29: 5, // memory violation
	30: 4, // illegal instruction
	31: 2, // trap
}

// reportInSaveArea tells the runtime why a queue has stopped, as it wants it after RUNTIME_ENABLE. It
// returns false where the runtime learns it from the queue's inactive signal.
func (d *Driver) reportInSaveArea(save, code uint64) bool {
	d.mu.Lock()
	enabled := d.runtime
	d.mu.Unlock()
	var header [saveHeader]byte
	if !enabled || save == 0 || hostmem.Read(header[:], uintptr(save)) != nil {
		return false
	}
	reason := binary.LittleEndian.Uint64(header[saveReasonAt:])
	event := binary.LittleEndian.Uint32(header[saveEventAt:])
	if _, err := hostmem.ReadUint64(uintptr(reason)); err != nil || reason%8 != 0 || event == 0 {
		return false
	}
	number := exceptions[bits.TrailingZeros64(code)]
	if number == 0 {
		return false
	}
	orInto(reason, 1<<(number-1))
	return d.RaiseEvent(event)
}

type queueArgs struct{ ID, _ uint32 }

func (d *Driver) destroyQueue(a *queueArgs) syscall.Errno {
	if d.DestroyQueue(uint64(a.ID)) != nil {
		return syscall.EINVAL
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if q := d.queues[uint64(a.ID)]; q != nil {
		q.device.bells[q.bell] = false
		delete(d.queues, uint64(a.ID))
	}
	return 0
}

type updateQueueArgs struct {
	Ring                        uint64
	ID, Size, Percent, Priority uint32
}

func (d *Driver) updateQueue(a *updateQueueArgs) syscall.Errno {
	return errnoOf(d.UpdateQueue(uint64(a.ID), a.Percent))
}

type cuMaskArgs struct {
	ID, Count uint32
	Mask      uint64
}

// setCUMask chooses the compute units of a queue. Here they are all alike.
func (d *Driver) setCUMask(a *cuMaskArgs) syscall.Errno {
	d.mu.Lock()
	defer d.mu.Unlock()
	return found(d.queues[uint64(a.ID)] != nil)
}

type gwsArgs struct{ ID, Count, First, _ uint32 }

func (d *Driver) allocGWS(a *gwsArgs) syscall.Errno {
	a.First = 0
	return errnoOf(d.SetGWS(uint64(a.ID), a.Count))
}

// errnoOf is the number that a call returns for an error.
func errnoOf(err error) syscall.Errno {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, hsa.ErrResources):
		return syscall.ENOMEM
	}
	return syscall.EINVAL
}
