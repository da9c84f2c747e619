package mgpu

import (
	"sync"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// tensorBlock holds the arrays of a driver.TensorMap. It is on the heap, since a Go stack may move while C has the
// address.
type tensorBlock struct {
	dims, strides [maxTensorRank]uint64
	box, steps    [maxTensorRank]uint32
	mapSpace      [tensorMapBytes + tensorMapAlign]byte // has room for an aligned map
}

var tensorBlocks = sync.Pool{New: func() any { return new(tensorBlock) }}

// pointTo sets t's pointers to b, which the caller keeps alive.
func (b *tensorBlock) pointTo(t *driver.TensorMap) {
	space := uintptr(unsafe.Pointer(&b.mapSpace))
	t.Map = (space + tensorMapAlign - 1) &^ (tensorMapAlign - 1)
	t.Dims = uintptr(unsafe.Pointer(&b.dims))
	t.Strides = uintptr(unsafe.Pointer(&b.strides))
	t.Box = uintptr(unsafe.Pointer(&b.box))
	t.ElementStrides = uintptr(unsafe.Pointer(&b.steps))
}

const (
	tensorMapBytes = 128
	tensorMapAlign = 64
	maxTensorRank  = 5
)
