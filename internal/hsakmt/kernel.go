package hsakmt

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/soft/emu"
)

// kernels are those that a GPU has decoded. Memory is reused for other code, so one
// is only used while the code is what it was.
type kernels struct {
	mu    sync.Mutex
	known map[kernelKey]*kernel
}

// kernelKey is what a dispatch packet says of its kernel.
type kernelKey struct {
	object  uint64 // address of the descriptor
	private uint32 // bytes for each work-item
	group   uint32 // bytes for each workgroup
}

// kernel is decoded code with the memory that it was decoded from.
type kernel struct {
	*emu.Kernel
	descriptor [codeobj.DescriptorSize]byte
	code       []byte
	at         uint64 // where the code lies
}

// mostKernels bounds how many are kept.
const mostKernels = 4096

// kernel finds or decodes the kernel of a dispatch packet. Its descriptor is a code
// object's, or an amd_kernel_code_t, which agrees in all that is read here.
func (g *gpu) kernel(key kernelKey, v view) (*kernel, error) {
	_, hi, ok := v.Window(key.object, false)
	if !ok || hi-key.object < codeobj.DescriptorSize {
		return nil, fmt.Errorf("kernel object %#x is not memory of the GPU", key.object)
	}
	ks := &g.kernels
	ks.mu.Lock()
	defer ks.mu.Unlock()
	if k := ks.known[key]; k != nil && k.unchanged(key.object, v) {
		return k, nil
	}
	k, err := g.decode(key, v)
	if err != nil {
		return nil, err
	}
	if ks.known == nil || len(ks.known) >= mostKernels {
		ks.known = map[kernelKey]*kernel{}
	}
	ks.known[key] = k
	return k, nil
}

// unchanged compares the memory that k came from.
func (k *kernel) unchanged(object uint64, v view) bool {
	lo, hi, ok := v.Window(k.at, false)
	return ok && lo == k.at && hi-lo >= uint64(len(k.code)) &&
		bytes.Equal(k.descriptor[:], bytesAt(object, codeobj.DescriptorSize)) &&
		bytes.Equal(k.code, bytesAt(k.at, uint64(len(k.code))))
}

func (g *gpu) decode(key kernelKey, v view) (*kernel, error) {
	k := &kernel{}
	copy(k.descriptor[:], bytesAt(key.object, codeobj.DescriptorSize))
	chip := g.thunk.chip.id
	d := codeobj.DecodeDescriptor(k.descriptor[:], chip.String())
	d.PrivateSize, d.GroupSize = key.private, key.group
	entry := key.object + uint64(d.EntryOffset)
	lo, hi, ok := v.Window(entry, false)
	if !ok {
		return nil, fmt.Errorf("entry point %#x of kernel object %#x is not memory of the GPU", entry, key.object)
	}
	k.at, k.code = lo, bytes.Clone(bytesAt(lo, hi-lo))
	name := fmt.Sprintf("at %#x", key.object)
	start := uint32(entry - lo)
	p, err := emu.NewProgram(chip, k.code, lo, []emu.Range{{Name: name, Start: start, End: start}})
	if err != nil {
		return nil, err
	}
	k.Kernel, err = emu.NewKernel(p, name, &d, entry)
	return k, err
}
