package mgpu

import (
	"encoding/binary"
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/hostmem"
)

// registered is the contiguous memory of a memref.
type registered struct {
	ptr   uintptr
	bytes uint64
}

// maxRank is larger than the rank of any memref; a rank above it is garbage.
const maxRank = 64

// readMemRef computes the memory of a contiguous memref from its descriptor, {allocated,
// aligned, offset, sizes[rank], strides[rank]}.
func readMemRef(rank int64, desc uintptr, elemBytes int64) (registered, error) {
	if rank < 0 || rank > maxRank || elemBytes <= 0 {
		return registered{}, fmt.Errorf("invalid memref of rank %d with elements of %d bytes", rank, elemBytes)
	}
	raw := make([]byte, 8*(3+2*rank))
	if err := hostmem.Read(raw, desc); err != nil {
		return registered{}, fmt.Errorf("memref descriptor: %w", err)
	}
	words := make([]int64, 3+2*rank)
	for i := range words {
		words[i] = int64(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	sizes, strides := words[3:3+rank], words[3+rank:]
	count := int64(1)
	for i := rank - 1; i >= 0; i-- {
		if sizes[i] < 0 || (sizes[i] != 0 && count > (1<<62)/sizes[i]/elemBytes) {
			return registered{}, fmt.Errorf("memref at %#x has size %d in dimension %d", desc, sizes[i], i)
		}
		if sizes[i] != 1 && strides[i] != count && count != 0 {
			return registered{}, fmt.Errorf("memref at %#x is not contiguous: stride %d in dimension %d instead of %d", desc, strides[i], i, count)
		}
		count *= sizes[i]
	}
	offset := words[2]
	if most := (1 << 62) / elemBytes; offset > most || offset < -most {
		return registered{}, fmt.Errorf("memref at %#x has offset %d", desc, offset)
	}
	return registered{uintptr(words[1]) + uintptr(offset*elemBytes), uint64(count * elemBytes)}, nil
}
