package codeobj

import (
	"debug/elf"
	"fmt"
)

// NormalKernel is the Kind of kernels that run only when they are launched. Kernels of kind "init" run when a module is
// loaded, those of kind "fini" when it is unloaded.
const NormalKernel = "normal"

// Kernel is one kernel of a code object.
type Kernel struct {
	Name   string // the name for launches
	Symbol string // symbol of the descriptor: "name.kd"
	Kind   string // NormalKernel, "init" or "fini"

	Descriptor     Descriptor
	DescriptorAddr uint64 // in the code object's address space
	EntryAddr      uint64 // address in the code object's address space, inside an executable segment

	Args                 []Arg
	KernargSize          uint32 // bytes; every argument lies inside
	KernargAlign         uint32 // a power of two
	GroupSize            uint32 // bytes of static LDS
	PrivateSize          uint32 // bytes of scratch per work-item
	MaxFlatWorkgroupSize uint32
	ReqdWorkgroupSize    [3]uint32 // zero: not required
	WavefrontSize        uint32    // 32 or 64

	SGPRCount, VGPRCount uint32 // used registers, not allocated ones: see Descriptor
	UsesDynamicStack     bool
}

// AnyKernel returns the name of a kernel of an AMDGPU code object, or of a bundle's first code object that has one. It
// returns an empty name for other images and for images that can't be read.
func AnyKernel(kind Kind, image []byte) string {
	images := [][]byte{image}
	if kind == KindBundle {
		images = nil
		entries, _, _ := bundleEntries(imageSource(image))
		for _, e := range entries {
			if e.forAMDGPU() && end(e.off, e.size) <= uint64(len(image)) {
				images = append(images, image[e.off:e.off+e.size])
			}
		}
	} else if kind != KindHSACO {
		return ""
	}
	for _, image := range images {
		if o, err := Parse(image); err == nil && len(o.Kernels) > 0 {
			return o.Kernels[0].Name
		}
	}
	return ""
}

// locate finds the kernel's descriptor and entry point.
func (k *Kernel) locate(o *Object) error {
	sym := o.Symbol(k.Symbol)
	if sym == nil || !sym.Defined() {
		return fmt.Errorf("kernel %s: .symbol: the code object does not define %s", k.Name, k.Symbol)
	}
	b, err := o.Bytes(sym.Value, DescriptorSize)
	if err != nil {
		return fmt.Errorf("kernel %s: descriptor %s: %w", k.Name, k.Symbol, err)
	}
	k.Descriptor = DecodeDescriptor(b, o.Chip)
	k.DescriptorAddr = sym.Value
	k.EntryAddr = sym.Value + uint64(k.Descriptor.EntryOffset)
	s := o.segmentOf(k.EntryAddr, 4)
	if s == nil || s.Flags&elf.PF_X == 0 || k.EntryAddr%4 != 0 {
		return fmt.Errorf("kernel %s: descriptor %s: the entry point %#x is not in executable memory", k.Name, k.Symbol, k.EntryAddr)
	}
	if wave32 := k.WavefrontSize == 32; wave32 != k.Descriptor.Wavefront32 {
		return fmt.Errorf("kernel %s: .wavefront_size is %d, but descriptor %s says otherwise", k.Name, k.WavefrontSize, k.Symbol)
	}
	return nil
}
