package drivertest

import (
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// launch launches f with arguments. Each argument has its own memory, as in lowered programs.
func launch(d driver.Driver, f driver.Function, l driver.Launch, args ...any) error {
	return withArguments(l, func(l driver.Launch) error { return d.LaunchKernel(f, l) }, args...)
}

// withArguments calls call with a launch that has arguments.
func withArguments(l driver.Launch, call func(driver.Launch) error, args ...any) error {
	values := make([]uint64, len(args)+1)
	pointers := make([]*uint64, len(args)+1)
	for i, a := range args {
		pointers[i] = &values[i]
		switch a := a.(type) {
		case uint8:
			*(*uint8)(unsafe.Pointer(&values[i])) = a
		case uint16:
			*(*uint16)(unsafe.Pointer(&values[i])) = a
		case uint32:
			*(*uint32)(unsafe.Pointer(&values[i])) = a
		case uint64:
			values[i] = a
		case float32:
			*(*uint32)(unsafe.Pointer(&values[i])) = math.Float32bits(a)
		case float64:
			values[i] = math.Float64bits(a)
		case driver.Ptr:
			values[i] = uint64(a)
		default:
			return fmt.Errorf("argument %d: the suite has no arguments of type %T", i, a)
		}
	}
	if len(args) > 0 {
		l.Params = fixed(unsafe.Pointer(&pointers[0]))
		fixed(unsafe.Pointer(&values[0]))
	}
	err := call(l)
	// The arguments stay in place only during the call.
	clear(values)
	clear(pointers)
	runtime.KeepAlive(pointers)
	runtime.KeepAlive(values)
	return err
}

// copyTo copies host memory to the device. The host memory may be changed once copyTo returns.
func copyTo(d driver.Driver, dst driver.Ptr, src []byte, s driver.Stream) error {
	err := d.Memcpy(dst, hostPtr(src), uint64(len(src)), s)
	runtime.KeepAlive(src)
	return err
}

// copyFrom copies device memory to the host. dst must live until the stream is synchronized.
func copyFrom(d driver.Driver, dst []byte, src driver.Ptr, s driver.Stream) error {
	err := d.Memcpy(hostPtr(dst), src, uint64(len(dst)), s)
	runtime.KeepAlive(dst)
	return err
}

// hostPtr returns the address of host memory, which must not move.
func hostPtr(b []byte) driver.Ptr {
	return driver.Ptr(fixed(unsafe.Pointer(unsafe.SliceData(b))))
}

// fixed returns the address of memory that does not move. Go moves only stacks, and memory that a global variable can
// point to is not allocated on a stack.
func fixed(p unsafe.Pointer) uintptr {
	escaped.Store((*byte)(p))
	return uintptr(p)
}

var escaped atomic.Pointer[byte]

// hostView returns memory that the host may access as a slice.
func hostView(p driver.Ptr, n int) []byte {
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&p))), n)
}
