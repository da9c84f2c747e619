package hostmem

import (
	"syscall"
	"unsafe"
)

func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// unmap is munmap of a part of a mapping, which syscall.Munmap refuses.
func unmap(b []byte) error {
	if _, _, errno := syscall.Syscall(syscall.SYS_MUNMAP, addressOf(b), uintptr(len(b)), 0); errno != 0 {
		return errno
	}
	return nil
}
