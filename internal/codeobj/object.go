package codeobj

import (
	"debug/elf"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Object is an AMDGPU code object. Its addresses are relative to the address at which a loader places the object.
type Object struct {
	Target  string // as in the metadata: "amdgcn-amd-amdhsa--gfx906:xnack-"
	Chip    string // "gfx906"
	ID      Target // chip and features, from e_flags
	Version int    // of the code object format: 4, 5 or 6
	Generic uint8  // version of a generic target; 0 for a specific chip

	Segments []Segment // segments to load, by ascending address, not overlapping
	Text     Text
	Relocs   []Reloc  // relocations that a loader must apply
	Symbols  []Symbol // dynamic symbols first, then local ones if there are any; no labels
	Kernels  []Kernel
	Printf   []string // formats for the contents of kernels' printf buffers, as in the metadata

	image   []byte
	notes   []span    // in the file
	dynamic span      // in memory
	relro   []span    // in memory
	mutable []span    // in memory: what kernels may write
	tables  []section // section headers; none if the object is stripped
	byName  map[string]int
	dynsyms int // number of dynamic symbols in Symbols
}

// Segment is a part of the object that is loaded.
type Segment struct {
	Addr, MemSize uint64
	Bytes         []byte // contents at Addr; up to MemSize the rest is zero
	Flags         elf.ProgFlag
	Align         uint64
}

// Text is the executable code. An object has one text.
type Text struct {
	Addr  uint64
	Bytes []byte
}

// abiVersions maps EI_ABIVERSION to the code object version.
var abiVersions = map[byte]int{2: 4, 3: 5, 4: 6}

const osabiHSA = 64

// Parse reads an AMDGPU code object of version 4, 5 or 6. image may be longer than the object. The Object refers to
// image.
func Parse(image []byte) (*Object, error) { return parseWith(image, (*Object).readKernels) }

// ParseCode is Parse without the metadata: the Object has no kernels.
func ParseCode(image []byte) (*Object, error) { return parseWith(image) }

func parseWith(image []byte, further ...func(*Object, source, *header) error) (*Object, error) {
	src := imageSource(image)
	kind, size, err := src.extent()
	if err != nil {
		return nil, err
	}
	if kind != KindHSACO {
		return nil, fmt.Errorf("not an AMDGPU code object, but %s", kind.whatNow())
	}
	if size > uint64(len(image)) {
		return nil, fmt.Errorf("the code object is %d bytes long, but only %d are there", size, len(image))
	}
	o := &Object{image: image[:size:size]}
	steps := append([]func(*Object, source, *header) error{
		(*Object).readIdentity, (*Object).checkCounts, (*Object).readPrograms, (*Object).readSections,
		(*Object).findMutable, (*Object).readDynamic, (*Object).readLocalSymbols,
	}, further...)
	src = imageSource(o.image)
	h, err := readHeader(src)
	for i := 0; err == nil && i < len(steps); i++ {
		err = steps[i](o, src, h)
	}
	if err != nil {
		return nil, err
	}
	return o, nil
}

func (o *Object) readIdentity(_ source, h *header) error {
	if h.osabi != osabiHSA {
		return fmt.Errorf("ELF header: OS/ABI %d is not HSA (64)", h.osabi)
	}
	if h.etype != elf.ET_DYN {
		return fmt.Errorf("ELF header: type %v: a code object is a shared object: was it linked?", h.etype)
	}
	if o.Version = abiVersions[h.abiversion]; o.Version == 0 {
		return fmt.Errorf("code object version %d (ABI version %d): only 4, 5 and 6 are known", int(h.abiversion)+2, h.abiversion)
	}
	if o.Chip = machs[h.flags&flagMach]; o.Chip == "" {
		return fmt.Errorf("ELF header: e_flags %#x name no known processor", h.flags)
	}
	o.ID = Target{
		Processor: o.Chip,
		XNACK:     flagFeature[h.flags>>flagXNACKShift&3],
		SRAMECC:   flagFeature[h.flags>>flagSRAMECCShift&3],
	}
	if o.Version >= 6 {
		o.Generic = uint8(h.flags >> flagGenericShift)
	}
	if strings.HasSuffix(o.Chip, "-generic") && o.Generic < firstGeneric {
		return fmt.Errorf("ELF header: code for %s without a generic version, which code object version 6 has", o.Chip)
	}
	return nil
}

func (o *Object) readPrograms(src source, h *header) error {
	return h.programs(src, func(p program) error {
		if p.kind != elf.PT_LOAD {
			if end(p.vaddr, p.memsz) > maxExtent {
				return nil
			}
			switch p.kind {
			case elf.PT_NOTE:
				o.notes = append(o.notes, span{p.off, p.off + p.filesz})
			case elf.PT_DYNAMIC:
				o.dynamic = span{p.vaddr, p.vaddr + p.filesz}
			case elf.PT_GNU_RELRO:
				o.relro = append(o.relro, span{p.vaddr, p.vaddr + p.memsz})
			}
			return nil
		}
		switch n := len(o.Segments); {
		case p.filesz > p.memsz:
			return fmt.Errorf("ELF segment %d: %d bytes in the file, but %d in memory", p.number, p.filesz, p.memsz)
		case end(p.vaddr, p.memsz) > maxExtent:
			return fmt.Errorf("ELF segment %d: %d bytes at address %#x end beyond 2 GiB", p.number, p.memsz, p.vaddr)
		case n > 0 && p.vaddr < o.Segments[n-1].Addr+o.Segments[n-1].MemSize:
			return fmt.Errorf("ELF segment %d: address %#x lies before the end of the segment before it", p.number, p.vaddr)
		}
		s := Segment{Addr: p.vaddr, MemSize: p.memsz, Flags: p.flags, Align: p.align, Bytes: o.file(p.off, p.filesz)}
		o.Segments = append(o.Segments, s)
		if s.Flags&elf.PF_X != 0 && o.Text.Bytes == nil {
			o.Text = Text{s.Addr, s.Bytes}
		}
		return nil
	})
}

// file returns size bytes of the image at off, which Extent has checked.
func (o *Object) file(off, size uint64) []byte {
	if size == 0 {
		return nil
	}
	return o.image[off : off+size : off+size]
}

// Bounds of a linked code object, which usually has about 8 and 20.
const (
	maxPrograms = 256
	maxSections = 4096
)

func (o *Object) checkCounts(_ source, h *header) error {
	if h.phnum > maxPrograms {
		return fmt.Errorf("ELF program header table: %d entries are not believed", h.phnum)
	}
	if h.shnum > maxSections {
		return fmt.Errorf("ELF section table: %d entries are not believed", h.shnum)
	}
	return nil
}

// readSections reads the section headers, and their names if there are any.
func (o *Object) readSections(src source, h *header) error {
	o.tables = make([]section, 0, min(h.shnum, 64))
	err := h.sections(src, func(s section) error {
		o.tables = append(o.tables, s)
		return nil
	})
	if err != nil || h.shstrndx >= uint64(len(o.tables)) {
		return err
	}
	names := &o.tables[h.shstrndx]
	if names.kind != elf.SHT_STRTAB {
		return nil
	}
	text := o.stringTable(o.file(names.off, names.size))
	for i := range o.tables {
		if o.tables[i].name, err = text.at(o.tables[i].nameOff); err != nil {
			return fmt.Errorf("ELF section %d: %w", i, err)
		}
	}
	return nil
}

func (o *Object) readKernels(source, *header) error {
	notes, err := o.metadataNotes()
	if err != nil {
		return err
	}
	for _, note := range notes {
		m, err := decodeMetadata(note)
		if err != nil {
			return err
		}
		if err := o.addMetadata(m); err != nil {
			return err
		}
	}
	if o.Target == "" {
		o.Target = "amdgcn-amd-amdhsa--" + o.ID.String()
	}
	for i := range o.Kernels {
		if err := o.Kernels[i].locate(o); err != nil {
			return err
		}
	}
	if len(notes) > 1 {
		o.dropRepeatedKernels()
	}
	return nil
}

// addMetadata adds a note's metadata. It refuses a second list of formats that differs from the first, since kernels name
// a format by its number. AMD's comgr refuses every second list.
func (o *Object) addMetadata(m *metadata) error {
	if m.target != "" {
		if t := ParseTarget(m.target); t.Processor != o.Chip {
			return fmt.Errorf("amdhsa.target is %s, but e_flags say %s", m.target, o.Chip)
		}
	}
	if o.Target == "" {
		o.Target = m.target
	}
	switch {
	case o.Printf == nil:
		o.Printf = m.printf
	case m.printf != nil && !slices.Equal(o.Printf, m.printf):
		return errors.New("two metadata notes have different lists amdhsa.printf")
	}
	o.Kernels = append(o.Kernels, m.kernels...)
	return nil
}

// dropRepeatedKernels leaves out what the other objects say of a kernel that several of the linked ones have. The linker
// has taken one of them, the first unless that is weak and another is not; the arguments have the size that its
// descriptor says.
func (o *Object) dropRepeatedKernels() {
	kept := make(map[string]int, len(o.Kernels))
	rest := o.Kernels[:0]
	for _, k := range o.Kernels {
		at, again := kept[k.Symbol]
		switch fits := k.KernargSize == k.Descriptor.KernargSize; {
		case !again:
			kept[k.Symbol] = len(rest)
			rest = append(rest, k)
		case fits && rest[at].KernargSize != k.KernargSize:
			rest[at] = k
		}
	}
	clear(o.Kernels[len(rest):])
	o.Kernels = rest
}

// MemSize returns the size of the segments' address space, which begins at 0.
func (o *Object) MemSize() uint64 {
	if n := len(o.Segments); n > 0 {
		return o.Segments[n-1].Addr + o.Segments[n-1].MemSize
	}
	return 0
}

// Kernel returns the kernel with a name, or nil.
func (o *Object) Kernel(name string) *Kernel {
	for i := range o.Kernels {
		if o.Kernels[i].Name == name {
			return &o.Kernels[i]
		}
	}
	return nil
}

// Bytes returns n bytes at addr as in the file, before relocation.
func (o *Object) Bytes(addr, n uint64) ([]byte, error) {
	s := o.segmentOf(addr, n)
	if s == nil {
		return nil, fmt.Errorf("%d bytes at address %#x do not lie in one segment", n, addr)
	}
	off := addr - s.Addr
	if off+n > uint64(len(s.Bytes)) {
		return nil, fmt.Errorf("%d bytes at address %#x lie beyond the segment's %d bytes in the file", n, addr, len(s.Bytes))
	}
	return s.Bytes[off : off+n : off+n], nil
}

// segmentOf returns the segment that holds n bytes at addr, or nil.
func (o *Object) segmentOf(addr, n uint64) *Segment {
	for i := range o.Segments {
		if s := &o.Segments[i]; addr >= s.Addr && n <= s.MemSize && addr-s.Addr <= s.MemSize-n {
			return s
		}
	}
	return nil
}
