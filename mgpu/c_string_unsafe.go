package mgpu

import (
	"bytes"
	"sync"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/internal/hostmem"
)

const (
	firstAddress = 1 << 16 // nothing is mapped below: such a pointer is a small integer
	longestName  = 1 << 16
)

// nameChunk is how much of a name is read at a time. It divides a page, so that
// aligned chunks are readable as a whole or not at all.
const nameChunk = 256

var nameChunks = sync.Pool{New: func() any { return new([nameChunk]byte) }}

// cString is the C string at addr, valid as long as the program's memory is; ok
// is false where addr can't be one. It never faults.
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
