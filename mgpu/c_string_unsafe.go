package mgpu

import (
	"bytes"
	"sync"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/internal/hostmem"
)

const (
	firstAddress = 1 << 16 // nothing is mapped below, so a smaller pointer is an integer
	longestName  = 1 << 16
)

// nameChunk is how many bytes of a name are read at a time. Page sizes are multiples of nameChunk, so an aligned chunk
// is readable as a whole or not at all.
const nameChunk = 256

var nameChunks = sync.Pool{New: func() any { return new([nameChunk]byte) }}

// cString returns the C string at addr without copying; it is valid as long as the program's memory. ok is false if
// addr is not a readable string. cString never faults.
func cString(addr uintptr) (s string, ok bool) {
	if addr < firstAddress {
		return "", false
	}
	chunk := nameChunks.Get().(*[nameChunk]byte)
	defer nameChunks.Put(chunk)
	for n := 0; n < longestName; {
		at := addr + uintptr(n)
		text := chunk[:nameChunk-int(at%nameChunk)]
		if hostmem.Read(text, at) != nil {
			return "", false
		}
		if end := bytes.IndexByte(text, 0); end >= 0 {
			return unsafe.String(*(**byte)(unsafe.Pointer(&addr)), n+end), true
		}
		n += len(text)
	}
	return "", false
}
