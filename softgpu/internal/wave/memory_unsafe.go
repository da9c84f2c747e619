package wave

import "unsafe"

// LDSBase returns the host address of the workgroup's LDS; 0 if it has none.
func (w *Wave) LDSBase() uint64 {
	return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(w.LDS))))
}
