package softgpu

import "unsafe"

// memory returns device memory as bytes. It is not inlined: the conversion would make the compiler of Go 1.26 fail in
// some callers.
//
//go:noinline
func memory(addr uintptr, n int) []byte {
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&addr))), n)
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// View returns n elements at the beginning of a buffer.
func View[T any](b Buffer, n int) []T {
	if n*SizeOf[T]() > len(b.Bytes) {
		panic("softgpu: a view beyond its buffer")
	}
	return elements[T](uintptr(b.Ptr), n)
}

// SizeOf returns the size of a T in bytes.
func SizeOf[T any]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}

//go:noinline
func elements[T any](addr uintptr, n int) []T {
	return unsafe.Slice((*T)(*(*unsafe.Pointer)(unsafe.Pointer(&addr))), n)
}
