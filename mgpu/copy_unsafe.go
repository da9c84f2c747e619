package mgpu

import "unsafe"

// address returns where the record lies, for C.
func (r *staged) address() uintptr { return uintptr(unsafe.Pointer(r)) }

// outstandingAddress returns where the number of outstanding copies is.
func (c *copies) outstandingAddress() uintptr { return uintptr(unsafe.Pointer(&c.outstanding)) }

// copyHost copies memory of the host.
func copyHost(dst, src uintptr, bytes uint64) {
	copy(hostBytes(dst, bytes), hostBytes(src, bytes))
}

// hostBytes is not inlined: Go 1.26.8 fails to compile some slices that are made of
// a number in place.
//
//go:noinline
func hostBytes(addr uintptr, bytes uint64) []byte {
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), bytes)
}

// Where C finds a staged copy's parts.
const (
	StagedCopyOffset   = unsafe.Offsetof(staged{}.Copy)
	StagedWaitOffset   = unsafe.Offsetof(staged{}.Wait)
	StagedDstOffset    = unsafe.Offsetof(staged{}.Dst)
	StagedPinnedOffset = unsafe.Offsetof(staged{}.Pinned)
	StagedBytesOffset  = unsafe.Offsetof(staged{}.Bytes)
	StagedBehindOffset = unsafe.Offsetof(staged{}.Behind)
)
