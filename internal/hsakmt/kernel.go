package hsakmt

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/soft/check"
	"github.com/mgpu-runtime/mgpu/internal/soft/emu"
)

// kernels are those that a GPU has decoded. Memory is reused for other code, so one
// is only used while the code is what it was.
type kernels struct {
	mu       sync.Mutex
	known    map[kernelKey]*kernel
	programs map[uint64]*program // by address
}

// kernelKey is what a dispatch packet says of its kernel.
type kernelKey struct {
	object  uint64 // address of the descriptor
	private uint32 // bytes for each work-item
	group   uint32 // bytes for each workgroup
}

// kernel is an entry point with the descriptor that it was made of.
type kernel struct {
	*emu.Kernel
	descriptor [codeobj.DescriptorSize]byte
	program    *program
}

// program is decoded code.
type program struct {
	*emu.Program
	at     uint64
	code   []byte
	low    uint64 // the memory that it lies in
	high   uint64
	object *loadedObject // nil: the runtime knows none
	source *check.Source // nil: its kernels are not watched
}

// mostKernels bounds how many kernels and programs are kept.
const mostKernels = 4096

// kernel finds or makes the kernel of a dispatch packet. Its descriptor is a code
// object's, or an amd_kernel_code_t, which agrees in all that is read here.
func (g *gpu) kernel(key kernelKey, v view) (*kernel, error) {
	_, hi, ok := v.Window(key.object, false)
	if !ok || hi-key.object < codeobj.DescriptorSize {
		return nil, fmt.Errorf("kernel object %#x is not memory of the GPU", key.object)
	}
	descriptor := [codeobj.DescriptorSize]byte(bytesAt(key.object, codeobj.DescriptorSize))
	d := codeobj.DecodeDescriptor(descriptor[:], g.thunk.chip.id.String())
	d.PrivateSize, d.GroupSize = key.private, key.group
	entry := key.object + uint64(d.EntryOffset)

	ks := &g.kernels
	ks.mu.Lock()
	defer ks.mu.Unlock()
	if k := ks.known[key]; k != nil && k.descriptor == descriptor && k.program.live(v) {
		return k, nil
	}
	p, err := g.program(key.object, entry, v)
	if err != nil {
		return nil, err
	}
	e, err := emu.NewKernel(p.Program, p.object.kernelName(key.object), &d, entry)
	if err != nil {
		return nil, err
	}
	if ks.known == nil || len(ks.known) >= mostKernels {
		ks.known = map[kernelKey]*kernel{}
	}
	k := &kernel{e, descriptor, p}
	ks.known[key] = k
	return k, nil
}

// mostUnknown is how much is decoded at first where the runtime knows no code object: its
// own copy kernels, those of loaders that keep none of its lists, images that are too large
// to look at. Further code is fetched.
const mostUnknown = 64 << 10

// program finds or decodes the code around an entry point. kernels.mu is held.
func (g *gpu) program(object, entry uint64, v view) (*program, error) {
	low, high, ok := v.Window(entry, false)
	lo, hi := low, high
	if !ok {
		return nil, fmt.Errorf("entry point %#x of kernel object %#x is not memory of the GPU", entry, object)
	}
	// The runtime puts many code objects into one allocation.
	o := g.thunk.loadedAt(object)
	if begin, end := o.text(); begin >= lo && end <= hi && entry >= begin && entry < end {
		lo, hi = begin, end
	} else {
		lo, hi = entry, min(hi, entry+mostUnknown)
	}
	ks := &g.kernels
	if p := ks.programs[lo]; p != nil && p.live(v) && uint64(len(p.code)) == hi-lo {
		return p, nil
	}
	p := &program{at: lo, code: bytes.Clone(bytesAt(lo, hi-lo)), low: low, high: high, object: o}
	decode := emu.NewProgram
	if g.thunk.check.watches(o.kernelName(object), o) {
		decode, p.source = g.thunk.check.NewProgram, check.NewSource(o.image, o.Text.Addr)
	}
	chip := g.thunk.chip.id
	var err error
	if p.Program, err = decode(chip, p.code, lo, o.functions(lo, hi-lo)); err != nil {
		// An instruction that no chip has, or that is unknown here, matters where a wave
		// gets to it: without functions the program can have any.
		if p.Program, err = decode(chip, p.code, lo, nil); err != nil {
			return nil, err
		}
	}
	if ks.programs == nil || len(ks.programs) >= mostKernels {
		ks.programs = map[uint64]*program{}
	}
	ks.programs[lo] = p
	return p, nil
}

// live tells whether the program, and what its waves found elsewhere, is what lies in
// memory still.
func (p *program) live(v view) bool {
	same := func(at uint64, code []byte) bool {
		_, hi, ok := v.Window(at, false)
		size := uint64(len(code))
		return ok && hi-at >= size && bytes.Equal(code, bytesAt(at, size))
	}
	return same(p.at, p.code) && p.Far(same)
}

// fetch returns the code at an address where a wave of p goes: of the memory that p is in,
// or of any block of the GPU's.
func (p *program) fetch(v view, addr uint64) []byte {
	if addr < p.low || addr >= p.high {
		v.mu.RLock()
		b, _ := v.visible(addr, false)
		v.mu.RUnlock()
		if b == nil {
			return nil
		}
	}
	_, hi, ok := v.Window(addr, false)
	if !ok {
		return nil
	}
	return bytesAt(addr, min(hi-addr, mostUnknown))
}
