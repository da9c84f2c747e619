package hostcall

import (
	"fmt"
	"io"
)

// Services are the host's functions for kernels.
type Services struct {
	Stdout, Stderr io.Writer // one Write per printf

	// Alloc allocates device memory at a multiple of align; zero if there is none. Free frees it, and reports whether
	// it was such memory.
	Alloc func(bytes, align uint64) (addr uint64)
	Free  func(addr uint64) bool
}

// The services, by number.
const (
	callFunction  = 1
	callPrintf    = 2
	callMemory    = 3
	callSanitizer = 4
)

// serve executes the request of one lane in the words w. Its result goes to the first two.
func (b *Buffer) serve(call uint32, w *[laneWords]uint64) error {
	switch call {
	case callPrintf:
		return b.print(w)
	case callMemory:
		return b.memory(w)
	case callFunction:
		return fmt.Errorf("hostcall: call of the host's function at %#x: only GPUs with ROCm do that", w[0])
	case callSanitizer:
		return fmt.Errorf("hostcall: report of the address sanitizer: only GPUs with ROCm take it (MGPU_CHECK=memory finds the same)")
	}
	return fmt.Errorf("hostcall: there is no service %d", call)
}

// slab is the size of the pieces from which the device's malloc takes blocks. Malloc finds a block's slab by clearing
// the lower bits of its address.
const slab = 2 << 20

const page = 4096

// memory allocates w[1] bytes, or frees the memory at w[0].
func (b *Buffer) memory(w *[laneWords]uint64) error {
	addr, bytes := w[0], w[1]
	switch {
	case addr != 0:
		if !b.services.Free(addr) {
			return fmt.Errorf("hostcall: free of %#x in a kernel: malloc gave no such block", addr)
		}
		w[0] = 0
	case bytes == slab:
		w[0] = b.services.Alloc(bytes, slab)
	case bytes != 0:
		w[0] = b.services.Alloc(bytes, page) // the alignment distinguishes large blocks from small ones
	default:
		return fmt.Errorf("hostcall: request for memory without an address or a size")
	}
	return nil
}
