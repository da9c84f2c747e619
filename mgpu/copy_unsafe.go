package mgpu

import "unsafe"

// address returns where the record lies, for C.
func (r *staged) address() uintptr { return uintptr(unsafe.Pointer(r)) }

// Where C finds a staged copy's parts.
const (
	StagedCopyOffset   = unsafe.Offsetof(staged{}.Copy)
	StagedWaitOffset   = unsafe.Offsetof(staged{}.Wait)
	StagedDstOffset    = unsafe.Offsetof(staged{}.Dst)
	StagedPinnedOffset = unsafe.Offsetof(staged{}.Pinned)
	StagedBytesOffset  = unsafe.Offsetof(staged{}.Bytes)
	StagedBehindOffset = unsafe.Offsetof(staged{}.Behind)
)
