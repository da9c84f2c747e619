package mgpu

import (
	"errors"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func (k *core) openResets() {
	if !k.cached {
		return
	}
	if t, ok := k.drv.(driver.Resetter); ok && t.Resets() {
		k.resets.teller = t
	}
	k.resets.canaries = make([]atomic.Pointer[canary], k.devices)
	k.resets.oneNodes = map[driver.GraphExec]uint64{}
}

// watchReset makes the canary of a device, which is the current device, unless it has one. It is called after the
// driver has created something that the library will keep. Its driver calls are charged to no function.
func (f *frame) watchReset(device int) {
	w := &f.k.resets
	if w.teller == nil || w.canaries[device].Load() != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.canaries[device].Load() != nil {
		return
	}
	defer f.relaxCapture()()
	p, err := w.teller.CanaryAlloc(canaryBytes)
	if err != nil {
		return // the next call tries again
	}
	id, err := w.teller.MemoryNumber(p)
	if err != nil {
		_ = f.k.drv.MemFree(p)
		w.canaries[device].Store(&canary{}) // the driver has no numbers for memory
		return
	}
	w.canaries[device].Store(&canary{p, id})
	if w.inC {
		f.r.cfg.FastPath.WatchReset(p, id, w.teller.SlowReset())
	}
}

// noticeReset forgets what the library has on the current device if the program has reset the device. Calls that return
// an object to the program call it first. With one device C has checked already.
func (f *frame) noticeReset() {
	if f.k.resets.inC || f.k.resets.teller == nil {
		return
	}
	if device, err := f.device(); err == nil {
		f.r.NoticeReset(device)
	}
}

// NoticeReset checks whether the program has reset a device. If so, it forgets what the library has there: the driver
// has destroyed these objects, or given their handles to new ones. So none of them is passed to the driver.
func (r *Runtime) NoticeReset(device int) {
	k := r.core.Load()
	if k == nil || k.resets.teller == nil {
		return
	}
	w := &k.resets
	c := w.canaries[device].Load()
	if c == nil || c.at == 0 {
		return
	}
	if id, err := w.teller.MemoryNumber(c.at); err == nil && id == c.id || err != nil && !errors.Is(err, driver.InvalidValue) {
		return // a lost device, as after an invalid access by a kernel, was not reset
	}
	// Other threads that notice the reset wait until all is forgotten: the canary exists until then.
	w.noticing.Lock()
	defer w.noticing.Unlock()
	if w.canaries[device].Load() != c {
		return
	}
	defer func() {
		if w.inC {
			r.cfg.FastPath.WatchReset(0, 0, false)
		}
		w.canaries[device].Store(nil)
	}()
	w.count.Add(1)
	if r.cfg.FastPath != nil {
		r.cfg.FastPath.ForgetFunctions()
	}
	r.regions.Lost(device)
	k.pool.Lose(device)
	k.followEvents.lose(device)
	k.modules.Lose(device)
	for _, e := range k.nulls {
		if e.Device() == device {
			e.Synchronized(e.Submissions())
		}
	}
	if m := k.memory; m != nil {
		m.lose(device)
	}
}

// lose forgets all memory of a device.
func (m *memory) lose(device int) {
	m.cache.Lose(device)
	m.scratch.Lose(device)
	e := m.abandoned[device]
	e.Synchronized(e.Submissions())
	m.mu.Lock()
	defer m.mu.Unlock()
	for e := range m.checkpoints {
		if e.Device() == device {
			delete(m.checkpoints, e)
		}
	}
	if len(m.abandoned) == 1 {
		m.strays = nil
	}
}
