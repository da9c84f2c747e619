package mgpu

import (
	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Memcpy copies between host and device memory in any direction, in stream order.
func (r *Runtime) Memcpy(dst, src uintptr, bytes uint64, stream uintptr) Wait {
	f, ok := r.enter(memcpy)
	if !ok || bytes == 0 {
		return Wait{}
	}
	s, ok := f.findStream(stream)
	if !ok {
		f.leave()
		return Wait{}
	}
	if f.k.waiter != nil {
		f.followFrees(driver.Stream(stream), s)
		w := Wait{Handle: stream, Submission: f.k.cSubmissions.start(s), Effect: copyReturned}
		if w.Submission != 0 && f.times != nil {
			f.k.cSubmissions.time(w.Submission, f.timed(driver.Stream(stream), trace.Work{Bytes: bytes}))
		}
		f.noteAddresses(dst, src)
		w.Blocking = f.k.waiter.WaitCopy(driver.Ptr(dst), driver.Ptr(src), bytes, driver.Stream(stream))
		return f.startedInC(w)
	}
	f.failed(f.submit(driver.Stream(stream), s, nil, func() error {
		f.noteAddresses(dst, src)
		return f.Memcpy(driver.Ptr(dst), driver.Ptr(src), bytes, driver.Stream(stream))
	}))
	f.leave()
	return Wait{}
}
