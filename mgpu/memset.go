package mgpu

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Memset32 sets count elements of 32 bits, in stream order.
func (r *Runtime) Memset32(dst uintptr, value uint32, count uint64, stream uintptr) {
	f, ok := r.enter(memset32)
	if !ok || count == 0 {
		return
	}
	defer f.leave()
	f.memset(stream, dst, func() error { return f.Memset32(driver.Ptr(dst), value, count, driver.Stream(stream)) })
}

// Memset16 sets count elements of 16 bits, in stream order.
func (r *Runtime) Memset16(dst uintptr, value uint16, count uint64, stream uintptr) {
	f, ok := r.enter(memset16)
	if !ok || count == 0 {
		return
	}
	defer f.leave()
	f.memset(stream, dst, func() error { return f.Memset16(driver.Ptr(dst), value, count, driver.Stream(stream)) })
}

func (f *frame) memset(stream, dst uintptr, set func() error) {
	if s, ok := f.findStream(stream); ok {
		f.failed(f.submit(driver.Stream(stream), s, nil, func() error {
			f.noteAddresses(dst)
			return set()
		}))
	}
}
