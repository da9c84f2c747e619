package cuda_test

import (
	"runtime"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// withArgument launches with one argument, a pointer.
func withArgument(l *driver.Launch, p driver.Ptr, launch func(driver.Launch) error) error {
	value := new(driver.Ptr)
	*value = p
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(value)
	params := &[1]*driver.Ptr{value}
	pin.Pin(params)
	with := *l
	with.Params = uintptr(unsafe.Pointer(params))
	return launch(with)
}

// word reads memory that host and device share.
func word(p driver.Ptr) uint32 { return **(**uint32)(unsafe.Pointer(&p)) }
