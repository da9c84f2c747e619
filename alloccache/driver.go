package alloccache

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

//go:generate go tool mockgen -source=driver.go -destination=mock_test.go -package=alloccache

// Driver is the part of a driver that the cache calls, on behalf of one mgpu call. It allocates on the calling thread's
// current device, which has to be the request's device.
type Driver interface {
	Allocate(k Kind, bytes uint64) (driver.Ptr, error)
	// Release frees a block's memory on any device, and waits for that device.
	Release(k Kind, device int, p driver.Ptr) error
	// Reached queries, without blocking, whether a mark is reached. If it is, Mark.Of covers the mark afterwards.
	Reached(Mark) (bool, error)
	// Await waits until a mark is reached. Mark.Of covers the mark afterwards.
	Await(Mark) error
	// Quiet reports whether the program captures a stream. Then the cache makes no driver calls except to allocate.
	Quiet() bool
}
