package hsa

import (
	"sync/atomic"
	"syscall"
	"unsafe"
)

// Memory by address: the host's structures, and memory that GPUs share with the host. Callers make
// sure that it is mapped.

func pointer(addr uint64) unsafe.Pointer {
	p := uintptr(addr)
	return *(*unsafe.Pointer)(unsafe.Pointer(&p))
}

// bytesAt is n bytes of memory outside the Go heap. It is not inlined, since inlining it into a copy
// meets an error of the compiler.
//
//go:noinline
func bytesAt(addr, n uint64) []byte { return unsafe.Slice((*byte)(pointer(addr)), n) }

func load16(addr uint64) uint16         { return *(*uint16)(pointer(addr)) }
func load32(addr uint64) uint32         { return atomic.LoadUint32((*uint32)(pointer(addr))) }
func load64(addr uint64) uint64         { return atomic.LoadUint64((*uint64)(pointer(addr))) }
func store32(addr uint64, v uint32)     { atomic.StoreUint32((*uint32)(pointer(addr)), v) }
func store64(addr, v uint64)            { atomic.StoreUint64((*uint64)(pointer(addr)), v) }
func swap64(addr, v uint64) uint64      { return atomic.SwapUint64((*uint64)(pointer(addr)), v) }
func add64(addr uint64, v int64) uint64 { return atomic.AddUint64((*uint64)(pointer(addr)), uint64(v)) }

// addressOf is where memory outside the Go heap lies.
func addressOf(b []byte) uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }

const (
	readWrite        = syscall.PROT_READ | syscall.PROT_WRITE
	anonymous        = syscall.MAP_PRIVATE | syscall.MAP_ANON | syscall.MAP_NORESERVE
	fixedNoReplace   = 0x100000
	sysFutex         = syscall.SYS_FUTEX
	futexWaitPrivate = 128
	futexWakePrivate = 129
)

// mapPages maps size bytes at an address that is a multiple of align, or at fixed if
// that is not zero.
func mapPages(size, align, fixed uint64, protection uintptr) (addr uint64, err error) {
	if fixed != 0 {
		got, err := mmap(fixed, size, protection, anonymous|fixedNoReplace)
		if err == nil && got != fixed {
			unmapPages(got, size)
			err = syscall.EEXIST
		}
		return got, err
	}
	if size+align < size {
		return 0, syscall.ENOMEM
	}
	start, err := mmap(0, size+align, protection, anonymous)
	if err != nil {
		return 0, err
	}
	addr = (start + align - 1) &^ (align - 1)
	unmapPages(start, addr-start)
	unmapPages(addr+size, start+align-addr)
	return addr, nil
}

// mmapFile maps part of a file, shared, and replaces other mappings of the range.
func mmapFile(fd int, at, size, offset uint64) (uint64, error) {
	p, _, errno := syscall.Syscall6(syscall.SYS_MMAP, uintptr(at), uintptr(size), readWrite,
		syscall.MAP_SHARED|syscall.MAP_NORESERVE|syscall.MAP_FIXED, uintptr(fd), uintptr(offset))
	if errno != 0 {
		return 0, errno
	}
	return uint64(p), nil
}

// mapped reports whether all pages of a range are mapped.
func mapped(at, size uint64) bool {
	const async = 1 // the system only checks the range
	_, _, errno := syscall.Syscall(syscall.SYS_MSYNC, uintptr(at), uintptr(size), async)
	return errno != syscall.ENOMEM
}

func mmap(at, size uint64, protection, flags uintptr) (uint64, error) {
	p, _, errno := syscall.Syscall6(syscall.SYS_MMAP, uintptr(at), uintptr(size), protection, flags, ^uintptr(0), 0)
	if errno != 0 {
		return 0, errno
	}
	return uint64(p), nil
}

// protect makes pages inaccessible and releases their contents.
func protect(addr, size uint64) {
	if size > 0 {
		_, _ = mmap(addr, size, syscall.PROT_NONE, anonymous|syscall.MAP_FIXED)
	}
}

func unmapPages(addr, size uint64) {
	if size > 0 {
		_, _, _ = syscall.Syscall(syscall.SYS_MUNMAP, uintptr(addr), uintptr(size), 0)
	}
}

// futexWait sleeps until *word is no longer seen, another thread wakes the word, or the
// time is over.
func futexWait(word *atomic.Uint32, seen uint32, ns int64) {
	ts := syscall.NsecToTimespec(ns)
	_, _, _ = syscall.Syscall6(sysFutex, uintptr(unsafe.Pointer(word)), futexWaitPrivate, uintptr(seen), uintptr(unsafe.Pointer(&ts)), 0, 0)
}

func futexWake(word *atomic.Uint32) {
	_, _, _ = syscall.RawSyscall6(sysFutex, uintptr(unsafe.Pointer(word)), futexWakePrivate, 1, 0, 0, 0)
}
