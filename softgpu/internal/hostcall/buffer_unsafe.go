package hostcall

import "unsafe"

// Kernels use these words concurrently.

func wordAt(mem []byte, off uint64) *uint64 { return (*uint64)(unsafe.Pointer(&mem[off : off+8][0])) }

func stateAt(mem []byte, off uint64) *uint32 { return (*uint32)(unsafe.Pointer(&mem[off : off+4][0])) }
