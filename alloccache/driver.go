package alloccache

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

//go:generate go tool mockgen -source=driver.go -destination=mock_test.go -package=alloccache

// Driver is what the cache needs of a driver, on behalf of one call. Memory is
// allocated on the calling thread's current device, which is the one that the call
// names.
type Driver interface {
	Allocate(k Kind, bytes uint64) (driver.Ptr, error)
	// Release frees a block's memory, of whatever device, which waits for the
	// device.
	Release(k Kind, device int, p driver.Ptr) error
	// Reached asks, without blocking, whether a mark is reached, and notes it where
	// marks are compared.
	Reached(Mark) (bool, error)
	// Await waits until it is, and notes that.
	Await(Mark) error
	// Quiet reports whether the program captures a stream: nothing is asked, waited
	// for and released then.
	Quiet() bool
}
