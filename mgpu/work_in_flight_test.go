package mgpu

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/test/model/device"
)

// stopped is a model device. Calls that submit stop twice: before the device has the work, and before they return.
type stopped struct {
	*device.Model
	before, after func()
	event         driver.Event // an event of the program
	waits         atomic.Int64 // for streams
}

func (d *stopped) stop(submit func() error) error {
	before, after := d.before, d.after
	d.before, d.after = nil, nil // only for the first call
	if before != nil {
		before()
	}
	err := submit()
	if after != nil {
		after()
	}
	return err
}

func (d *stopped) LaunchKernel(f driver.Function, l driver.Launch) error {
	return d.stop(func() error { return d.Model.LaunchKernel(f, l) })
}

func (d *stopped) LaunchCluster(f driver.Function, _ driver.Dim3, l driver.Launch) error {
	return d.LaunchKernel(f, l)
}

func (d *stopped) LaunchCooperative(f driver.Function, _ driver.Dim3, l driver.Launch) error {
	return d.LaunchKernel(f, l)
}

func (d *stopped) Memcpy(dst, src driver.Ptr, bytes uint64, s driver.Stream) error {
	return d.stop(func() error { return d.Model.Memcpy(dst, src, bytes, s) })
}

func (d *stopped) Memset32(driver.Ptr, uint32, uint64, driver.Stream) error { panic("not called") }

func (d *stopped) Memset16(_ driver.Ptr, _ uint16, _ uint64, s driver.Stream) error {
	return d.Memcpy(0, 0, 0, s)
}

func (d *stopped) EventRecord(e driver.Event, s driver.Stream) error {
	if e != d.event {
		return d.Model.EventRecord(e, s) // an event of the library
	}
	return d.stop(func() error { return d.Model.EventRecord(e, s) })
}

func (d *stopped) StreamWaitEvent(s driver.Stream, e driver.Event) error {
	return d.stop(func() error { return d.Model.StreamWaitEvent(s, e) })
}

// onAnother runs do on another thread and waits for it.
func onAnother(do func()) {
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	<-done
}

// While a call that submits has not returned, memory and stream are not reused. A wait that began before the driver had
// the work does not cover it.
func TestACallThatSubmitsHoldsMemoryAndStreamUntilItReturns(t *testing.T) {
	launch := func(s uintptr) *Launch {
		return &Launch{Function: 0x500, Grid: Dims{1, 1, 1}, Block: Dims{1, 1, 1}, Stream: s}
	}
	calls := map[string]func(h *host, s, e, other uintptr){
		"mgpuLaunchKernel":            func(h *host, s, _, _ uintptr) { h.LaunchKernel(launch(s)) },
		"mgpuLaunchClusterKernel":     func(h *host, s, _, _ uintptr) { h.LaunchClusterKernel(launch(s)) },
		"mgpuLaunchKernelCooperative": func(h *host, s, _, _ uintptr) { h.LaunchKernelCooperative(launch(s)) },
		"mgpuMemcpy":                  func(h *host, s, _, _ uintptr) { h.Memcpy(1<<40, 1<<41, 64, s) },
		"mgpuMemset16":                func(h *host, s, _, _ uintptr) { h.Memset16(1<<40, 1, 64, s) },
		"mgpuEventRecord":             func(h *host, s, e, _ uintptr) { h.EventRecord(e, s) },
		"mgpuStreamWaitEvent":         func(h *host, s, e, _ uintptr) { h.StreamWaitEvent(s, e) },
		"mgpuStreamWaitEvent(stream)": func(h *host, s, _, other uintptr) { h.StreamWaitEvent(s, other) },
	}
	for name, call := range calls {
		for _, null := range []bool{false, true} {
			d := &stopped{Model: device.New(1, 1)}
			h := over(d, Config{})
			s, other, e := h.StreamCreate(), h.StreamCreate(), h.EventCreate()
			h.StreamSynchronize(s)
			h.StreamSynchronize(other)
			d.event = driver.Event(e)
			block := h.MemAlloc(4096, 0, false)
			h.MemFree(block)
			require.Equal(t, block, h.MemAlloc(4096, 0, false), "nothing is pending")
			on := s
			if null {
				on = 0
			}
			var again, next uintptr
			d.before = func() { onAnother(func() { h.StreamSynchronize(on) }) }
			d.after = func() {
				onAnother(func() {
					h.MemFree(block)
					again = h.MemAlloc(4096, 0, false)
					if !null {
						h.StreamDestroy(s)
						next = h.StreamCreate()
					}
				})
			}
			call(h, on, e, other)
			require.Nil(t, d.after, name)
			require.NotZero(t, again)
			require.NotEqual(t, block, again, "%s, null stream: %v", name, null)
			require.NotEqual(t, s, next, name)
			for i := 0; again != block; i++ {
				require.Less(t, i, 1000, "%s: the block comes back once the work is done", name)
				again = h.MemAlloc(4096, 0, false)
			}
		}
	}
}

// A free that waits for the device does not cover a call that reached the driver after the wait began, so the block is
// not reused.
func TestAWaitForTheDeviceDoesNotCoverACallThatIsUnderWay(t *testing.T) {
	d := &stopped{Model: device.New(1, 1)}
	h := over(d, Config{})
	s := h.StreamCreate()
	h.StreamSynchronize(s)
	h.HostRegister(1<<42, 4096) // makes later frees wait
	block := h.MemAlloc(4096, 0, false)
	var again uintptr
	d.before = func() { onAnother(func() { h.MemFree(block) }) }
	d.after = func() { onAnother(func() { again = h.MemAlloc(4096, 0, false) }) }
	h.LaunchKernel(&Launch{Function: 0x500, Grid: Dims{1, 1, 1}, Block: Dims{1, 1, 1}, Stream: s})
	require.NotEqual(t, block, again)
	h.StreamSynchronize(s)
	require.Equal(t, block, h.MemAlloc(4096, 0, false))
}

func (d *stopped) StreamSynchronize(s driver.Stream) error {
	d.waits.Add(1)
	return d.Model.StreamSynchronize(s)
}

// A scope that waits for its block waits again until the call has returned.
func TestAScopeWaitsForACallThatIsUnderWay(t *testing.T) {
	d := &stopped{Model: device.New(1, 1)}
	h := over(d, Config{})
	s := h.StreamCreate()
	h.StreamSynchronize(s)
	cache := h.AllocCacheCreate()
	session := h.AllocCacheBegin(cache)
	block := h.Runtime.MemAlloc(4096, 0, false, Origin{Session: session})
	got := make(chan uintptr, 1)
	d.after = func() {
		d.waits.Store(0)
		go func() {
			h.AllocCacheEnd(cache, session)
			got <- h.Runtime.MemAlloc(4096, 0, false, Origin{Session: h.AllocCacheBegin(cache)})
		}()
		for d.waits.Load() < 3 && len(got) == 0 {
			runtime.Gosched()
		}
		require.Empty(t, got)
	}
	h.LaunchKernel(&Launch{Function: 0x500, Grid: Dims{1, 1, 1}, Block: Dims{1, 1, 1}, Stream: s})
	require.Equal(t, block, <-got)
}
