package hsa

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/source"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
)

// kernels are those that a GPU has run. Memory is reused for other code, so an entry is used only
// while its code has not changed.
type kernels struct {
	mu       sync.Mutex
	known    map[kernelKey]*kernel
	programs map[programKey]*program
}

// kernelKey identifies the kernel of a dispatch packet.
type kernelKey struct {
	object  uint64 // address of the descriptor
	private uint32 // bytes for each work-item
	group   uint32 // bytes for each workgroup
}

// programKey is the address of code, and the size of waves for which it is decoded.
type programKey struct {
	at     uint64
	wave32 bool
}

// kernel is an entry point with the descriptor that it was made of.
type kernel struct {
	*emu.Kernel
	descriptor [codeobj.DescriptorSize]byte
	entry      uint64
	program    *program
}

// program is the code of an object, or of an unknown one from an entry point on.
type program struct {
	*emu.Program
	programKey
	size     uint64
	low      uint64 // the memory that it lies in
	high     uint64
	object   *loadedObject // nil: the runtime knows none
	source   *source.Lines // nil: its kernels are not watched
	profiled bool
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
	ks := &g.kernels
	ks.mu.Lock()
	defer ks.mu.Unlock()
	if k := ks.known[key]; k != nil && k.descriptor == descriptor && k.program.live(v, k.entry) {
		return k, nil
	}
	d := codeobj.DecodeDescriptor(descriptor[:], g.system.chip.id.String())
	d.PrivateSize, d.GroupSize = key.private, key.group
	entry := key.object + uint64(d.EntryOffset)
	g.system.poller.kick() // decoding may take long, and no doorbell may be heard meanwhile
	p, err := g.program(key.object, entry, d.Wavefront32, v)
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
	k := &kernel{e, descriptor, entry, p}
	ks.known[key] = k
	return k, nil
}

// mostUnknown is how much is decoded at first where the runtime knows no code object: its
// own copy kernels, those of loaders that keep none of its lists, images that are too large
// to look at. Further code is fetched.
const mostUnknown = 64 << 10

// program finds or makes the program around an entry point. kernels.mu is held.
func (g *gpu) program(object, entry uint64, wave32 bool, v view) (*program, error) {
	ks := &g.kernels
	for _, p := range ks.programs {
		if p.wave32 == wave32 && p.of(object, entry) && p.live(v, entry) {
			return p, nil
		}
	}
	low, high, ok := v.Window(entry, false)
	if !ok {
		return nil, fmt.Errorf("entry point %#x of kernel object %#x is not memory of the GPU", entry, object)
	}
	// The runtime puts many code objects into one allocation.
	p := &program{programKey: programKey{entry, wave32}, low: low, high: high, size: min(high-entry, mostUnknown)}
	text := emu.Text{Chip: g.system.chip.code(wave32), Volatile: true, Late: true}
	if o := g.system.loadedAt(object, v); o != nil && o.lo >= low && o.hi <= high && entry >= o.lo && entry < o.hi {
		p.object, p.at, p.size = o, o.lo, o.hi-o.lo
		text.Ranges, text.Indirect, text.Word = o.functions, o.indirect, o.word(v)
	}
	text.Base, text.Code = p.at, bytesAt(p.at, p.size)
	decode := emu.NewProgram
	if o := p.object; g.system.check.watches(o.kernelName(object), o) {
		decode, p.source = g.system.check.NewProgram, source.New(o.image, o.text)
	}
	if name := p.object.kernelName(object); !strings.HasPrefix(name, blits) {
		decode, p.profiled = g.system.profile.NewProgram(decode), g.system.profile != nil
	}
	var err error
	if p.Program, err = decode(text); err != nil {
		return nil, err
	}
	if ks.programs == nil || len(ks.programs) >= mostKernels {
		ks.programs = map[programKey]*program{}
	}
	ks.programs[p.programKey] = p
	return p, nil
}

// of reports whether p is the program of a kernel: of its code object, or where nothing is
// known, of the entry point.
func (p *program) of(object, entry uint64) bool {
	if p.object == nil {
		return p.at == entry
	}
	return entry-p.at < p.size && object-p.object.base < p.object.size
}

// live reports whether the runtime still has the program loaded there, in the GPU's memory. Pages of
// code are compared when a wave reaches them.
func (p *program) live(v view, entry uint64) bool {
	mapped := func(at uint64, size int) bool {
		_, hi, ok := v.Window(at, false)
		return ok && hi-at >= uint64(size)
	}
	return mapped(p.at, int(p.size)) && p.Far(mapped) && (p.object == nil || p.object.listed()) && p.Holds(entry)
}

// word reads eight bytes of the object's memory.
func (o *loadedObject) word(v view) func(addr uint64) (uint64, bool) {
	return func(addr uint64) (uint64, bool) {
		if at := addr - o.base; at >= o.size || o.size-at < 8 {
			return 0, false
		}
		if _, hi, ok := v.Window(addr, false); !ok || hi-addr < 8 {
			return 0, false
		}
		return binary.LittleEndian.Uint64(bytesAt(addr, 8)), true
	}
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
