package mgpu

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/internal/hostmem"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// elementBytes is the size of an element by CUtensorMapDataType: u8, u16, u32,
// i32, u64, i64, f16, f32, f64, bf16, f32 flushed, tf32, tf32 flushed.
var elementBytes = [...]int64{1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4}

// TiledMemref is a memref to encode, as the program passes it.
type TiledMemref struct {
	Rank        int64
	Descriptor  uintptr // {allocated, aligned, offset, sizes[rank], strides[rank]}
	DataType    uint32
	Interleave  uint32
	Swizzle     uint32
	L2Promotion uint32
	OutOfBounds uint32
	Box         uintptr // const int64_t *: elements of a tile, in the memref's order of dimensions
}

// TensorMapEncodeTiled encodes a tensor map in place.
func (r *Runtime) TensorMapEncodeTiled(t driver.TensorMap) {
	f, ok := r.enter(tensorMapEncodeTiled)
	if !ok {
		return
	}
	defer f.leave()
	mapper, ok := f.tensorMapper()
	if !ok {
		return
	}
	if t.Rank < 1 || t.Rank > maxTensorRank {
		f.failed(f.invalidMap("a tensor of rank %d, where 1 to %d can be", t.Rank, maxTensorRank))
		return
	}
	n := int(t.Rank)
	for _, list := range []struct {
		what  string
		at    uintptr
		bytes int
	}{
		{"tensor map", t.Map, tensorMapBytes}, {"sizes", t.Dims, 8 * n}, {"strides", t.Strides, 8 * (n - 1)},
		{"tile", t.Box, 4 * n}, {"element strides", t.ElementStrides, 4 * n},
	} {
		if err := hostmem.Read(make([]byte, list.bytes), list.at); err != nil {
			f.failed(f.invalidMap("%s at %#x: %v", list.what, list.at, err))
			return
		}
	}
	f.failed(f.encode(mapper, t))
}

// TensorMapEncodeTiledMemref encodes a tensor map for a memref and returns the device's copy,
// allocated as by [Runtime.MemAlloc].
func (r *Runtime) TensorMapEncodeTiledMemref(m *TiledMemref) uintptr {
	f, ok := r.enter(tensorMapEncodeTiledMemref)
	if !ok {
		return 0
	}
	defer f.leave()
	mapper, ok := f.tensorMapper()
	if !ok {
		return 0
	}
	b := tensorBlocks.Get().(*tensorBlock)
	defer tensorBlocks.Put(b)
	t, err := f.describeMemref(b, m)
	if err == nil {
		err = f.encode(mapper, t)
	}
	if f.failed(err) {
		return 0
	}
	p := driver.Ptr(f.alloc(alloccache.Device, tensorMapBytes, 0, Origin{}))
	if p == 0 {
		return 0
	}
	// The launch may be on any stream, so wait for the copy.
	if err = f.Memcpy(p, driver.Ptr(t.Map), tensorMapBytes, 0); err == nil {
		err = f.StreamSynchronize(0)
	}
	if f.failed(err) {
		f.discard(p)
		return 0
	}
	return uintptr(p)
}

// describeMemref writes the memref's description to b. Tensor maps list the innermost dimension first, memrefs the
// outermost.
func (f *frame) describeMemref(b *tensorBlock, m *TiledMemref) (t driver.TensorMap, err error) {
	if m.Rank < 1 || m.Rank > maxTensorRank {
		return t, errors.New("rank is too high")
	}
	if int64(m.DataType) >= int64(len(elementBytes)) {
		return t, f.invalidMap("data type %d, where 0 to %d can be", m.DataType, len(elementBytes)-1)
	}
	desc, err := readWords(m.Descriptor, int(3+2*m.Rank))
	if err != nil {
		return t, f.invalidMap("memref descriptor at %#x: %v", m.Descriptor, err)
	}
	tile, err := readWords(m.Box, int(m.Rank))
	if err != nil {
		return t, f.invalidMap("tile at %#x: %v", m.Box, err)
	}
	sizes, strides := desc[3:3+m.Rank], desc[3+m.Rank:]
	*b = tensorBlock{}
	for i := range m.Rank {
		outer := m.Rank - 1 - i
		b.dims[i], b.box[i], b.steps[i] = uint64(sizes[outer]), uint32(tile[outer]), 1
		if outer > 0 {
			b.strides[i] = uint64(strides[outer-1] * elementBytes[m.DataType])
		}
	}
	t = driver.TensorMap{DataType: m.DataType, Rank: uint32(m.Rank), Address: driver.Ptr(desc[1]),
		Interleave: m.Interleave, Swizzle: m.Swizzle, L2Promotion: m.L2Promotion, OutOfBoundsFill: m.OutOfBounds}
	b.pointTo(&t)
	return t, nil
}

func (f *frame) tensorMapper() (driver.TensorMapper, bool) {
	mapper, ok := f.k.drv.(driver.TensorMapper)
	if !ok {
		f.failed(f.unsupported("tensor maps: they need an NVIDIA GPU of compute capability 9.0 or later"))
	}
	return mapper, ok
}

func (f *frame) encode(mapper driver.TensorMapper, t driver.TensorMap) error {
	defer f.charge().stop()
	return mapper.EncodeTiled(t)
}

func (f *frame) invalidMap(format string, args ...any) error {
	return &driver.Error{Call: callNames[f.call], Code: driver.InvalidValue, Detail: fmt.Sprintf(format, args...)}
}

// readWords reads n words of 64 bits from host memory.
func readWords(addr uintptr, n int) ([]int64, error) {
	raw := make([]byte, 8*n)
	if err := hostmem.Read(raw, addr); err != nil {
		return nil, err
	}
	words := make([]int64, n)
	for i := range words {
		words[i] = int64(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return words, nil
}
