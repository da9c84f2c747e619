package null

import (
	"sync/atomic"
	"time"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// WaitStream returns the wait for the stream's kernels as a call for C.
func (d *Driver) WaitStream(s driver.Stream) driver.Blocking { return d.blocking(uintptr(s)) }

// WaitEvent returns the wait for the event as a call for C.
func (d *Driver) WaitEvent(e driver.Event) driver.Blocking { return d.blocking(uintptr(e)) }

// WaitCopy returns nothing to do.
func (d *Driver) WaitCopy(_, _ driver.Ptr, _ uint64, _ driver.Stream) driver.Blocking {
	return driver.Blocking{}
}

// WaitFree returns nothing to do.
func (d *Driver) WaitFree(driver.Ptr) driver.Blocking { return driver.Blocking{} }

// Status returns nil, since a wait in C can't fail.
func (d *Driver) Status(string, int32) error { return nil }

func (d *Driver) blocking(handle uintptr) driver.Blocking {
	left := d.left(handle)
	if left == 0 {
		return driver.Blocking{}
	}
	if d.opt.Sleep == 0 {
		d.wait(handle)
		return driver.Blocking{}
	}
	return driver.Blocking{Fn: d.opt.Sleep, Arg: [5]uintptr{uintptr(left)}}
}

func (d *Driver) now() int64 { return int64(time.Since(d.start)) }

// until returns the time at which a stream's or event's work is done.
func (d *Driver) until(handle uintptr) *atomic.Int64 {
	v, ok := d.busy.Load(handle)
	if !ok {
		v, _ = d.busy.LoadOrStore(handle, new(atomic.Int64))
	}
	return v.(*atomic.Int64)
}

// left returns the time that the work of a stream or event still takes.
func (d *Driver) left(handle uintptr) time.Duration {
	if d.opt.Kernel == 0 {
		return 0
	}
	return time.Duration(max(0, d.until(handle).Load()-d.now()))
}

func (d *Driver) wait(handle uintptr) {
	if left := d.left(handle); left > 0 {
		time.Sleep(left)
	}
}

// DeviceSynchronize waits for every stream and event, one by one.
func (d *Driver) DeviceSynchronize() error {
	d.busy.Range(func(handle, _ any) bool {
		d.wait(handle.(uintptr))
		return true
	})
	return nil
}

// WaitDevice is DeviceSynchronize in Go: the driver has no C function that waits for several streams.
func (d *Driver) WaitDevice() driver.Blocking {
	_ = d.DeviceSynchronize()
	return driver.Blocking{}
}
