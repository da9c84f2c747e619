package kfd

import (
	"sync/atomic"
	"syscall"
	"unsafe"
)

// Memory by address, which the caller of a control call vouches for.

func pointer(addr uint64) unsafe.Pointer {
	p := uintptr(addr)
	return *(*unsafe.Pointer)(unsafe.Pointer(&p))
}

// bytesAt is n bytes of memory outside the Go heap.
//
//go:noinline
func bytesAt(addr, n uint64) []byte { return unsafe.Slice((*byte)(pointer(addr)), n) }

// at is a structure in the caller's memory.
func at[T any](addr uint64) *T { return (*T)(pointer(addr)) }

// exchange calls do with a copy of the structure at addr, of which the caller knows the first size
// bytes, and stores these bytes afterwards.
func exchange[T any](addr, size uint64, do func(*T) syscall.Errno) syscall.Errno {
	var args T
	all := unsafe.Slice((*byte)(unsafe.Pointer(&args)), unsafe.Sizeof(args))
	known := all[:min(size, uint64(len(all)))]
	if len(known) > 0 {
		copy(known, bytesAt(addr, uint64(len(known))))
	}
	if errno := do(&args); errno != 0 {
		return errno
	}
	if len(known) > 0 {
		copy(bytesAt(addr, uint64(len(known))), known)
	}
	return 0
}

// storeAt copies a structure to the caller's memory, which has room for size bytes.
func storeAt[T any](addr, size uint64, from T) {
	all := unsafe.Slice((*byte)(unsafe.Pointer(&from)), unsafe.Sizeof(from))
	copy(bytesAt(addr, size), all)
}

const readWrite = syscall.PROT_READ | syscall.PROT_WRITE

func mmap(addr, size, protection, flags uint64, fd int, offset uint64) (uint64, syscall.Errno) {
	p, _, errno := syscall.Syscall6(syscall.SYS_MMAP, uintptr(addr), uintptr(size), uintptr(protection), uintptr(flags), uintptr(fd), uintptr(offset))
	return uint64(p), errno
}

// memfd makes a file without a place in the file system.
func memfd(name string) (int, error) {
	const closeOnExec = 1
	text, err := syscall.BytePtrFromString(name)
	if err != nil {
		return -1, err
	}
	fd, _, errno := syscall.Syscall(sysMemfdCreate, uintptr(unsafe.Pointer(text)), closeOnExec, 0)
	if errno != 0 {
		return -1, errno
	}
	return int(fd), nil
}

// orInto is an atomic or into a word of the caller's.
func orInto(addr, bits uint64) {
	atomic.OrUint64((*uint64)(pointer(addr)), bits)
}

// sizeOf is how many bytes a structure has.
func sizeOf[T any]() uint64 {
	var x T
	return uint64(unsafe.Sizeof(x))
}

// decode is the structure that bytes hold; encode is the reverse.
func decode[T any](b []byte) (x T) {
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&x)), unsafe.Sizeof(x)), b)
	return x
}

func encode[T any](x *T) []byte {
	return append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x))...)
}
