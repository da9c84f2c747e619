package codeobj

import (
	"debug/elf"
	"fmt"
)

// Sizes of ELF64 structures.
const (
	ehdrSize = 64
	phdrSize = 56
	shdrSize = 64
	symSize  = 24
	relaSize = 24
	dynSize  = 16
)

const emAMDGPU = 224

// header has the used fields of an ELF64 file header.
type header struct {
	osabi, abiversion byte
	etype             elf.Type
	machine           elf.Machine
	flags             uint32
	phoff, shoff      uint64
	phnum, shnum      uint64
	phentsize         uint64
	shentsize         uint64
	shstrndx          uint64
}

// section is a section header.
type section struct {
	nameOff      uint32
	name         string // filled in by Parse
	kind         elf.SectionType
	flags        elf.SectionFlag
	addr         uint64
	off, size    uint64
	link, info   uint32
	align, entsz uint64
}

// program is a program header.
type program struct {
	kind          elf.ProgType
	flags         elf.ProgFlag
	off, filesz   uint64
	vaddr, memsz  uint64
	align, number uint64
}

func readHeader(src source) (*header, error) {
	b, err := src.bytes(0, ehdrSize)
	if err != nil {
		return nil, fmt.Errorf("ELF header: %w", err)
	}
	if elf.Class(b[elf.EI_CLASS]) != elf.ELFCLASS64 || elf.Data(b[elf.EI_DATA]) != elf.ELFDATA2LSB {
		return nil, fmt.Errorf("ELF header: class %d, data encoding %d: device code is 64-bit, little-endian", b[elf.EI_CLASS], b[elf.EI_DATA])
	}
	h := &header{
		osabi:      b[elf.EI_OSABI],
		abiversion: b[elf.EI_ABIVERSION],
		etype:      elf.Type(le.Uint16(b[16:])),
		machine:    elf.Machine(le.Uint16(b[18:])),
		phoff:      le.Uint64(b[32:]),
		shoff:      le.Uint64(b[40:]),
		flags:      le.Uint32(b[48:]),
		phentsize:  uint64(le.Uint16(b[54:])),
		phnum:      uint64(le.Uint16(b[56:])),
		shentsize:  uint64(le.Uint16(b[58:])),
		shnum:      uint64(le.Uint16(b[60:])),
		shstrndx:   uint64(le.Uint16(b[62:])),
	}
	if h.machine != emAMDGPU && h.machine != elf.EM_CUDA {
		return nil, fmt.Errorf("an ELF file for machine %v (%d), not for AMDGPU (224) or CUDA (190)", h.machine, uint16(h.machine))
	}
	return h, h.checkTables(src)
}

// checkTables checks that the tables' entries have the sizes of ELF64. It reads the counts that don't fit into the file
// header.
func (h *header) checkTables(src source) error {
	if h.phnum > 0 && h.phentsize != phdrSize {
		return fmt.Errorf("ELF program header table: entries of %d bytes, not %d", h.phentsize, phdrSize)
	}
	if h.shoff == 0 {
		if h.shnum != 0 {
			return fmt.Errorf("ELF section table: %d entries, but no table", h.shnum)
		}
		return nil
	}
	if h.shentsize != shdrSize {
		return fmt.Errorf("ELF section table: entries of %d bytes, not %d", h.shentsize, shdrSize)
	}
	b, err := src.bytes(h.shoff, shdrSize)
	if err != nil {
		return fmt.Errorf("ELF section table at %d: %w", h.shoff, err)
	}
	first := decodeSection(b)
	if h.shnum == 0 {
		if h.shnum = first.size; h.shnum == 0 {
			return fmt.Errorf("ELF section table at %d: it has no entries", h.shoff)
		}
	}
	if h.shstrndx == uint64(elf.SHN_XINDEX) {
		h.shstrndx = uint64(first.link)
	}
	if h.phnum == 0xffff && first.info != 0 {
		h.phnum = uint64(first.info)
	}
	if h.shnum > maxExtent/shdrSize || end(h.shoff, h.shnum*shdrSize) > maxExtent {
		return fmt.Errorf("ELF section table: %d entries at %d end beyond 2 GiB", h.shnum, h.shoff)
	}
	return nil
}

// elfExtent returns the end of the last part of the file that a header names.
func elfExtent(src source) (Kind, uint64, error) {
	h, err := readHeader(src)
	if err != nil {
		return KindUnknown, 0, err
	}
	size := uint64(ehdrSize)
	if h.phnum > 0 {
		size = max(size, end(h.phoff, h.phnum*phdrSize))
	}
	if h.shoff > 0 {
		size = max(size, end(h.shoff, h.shnum*shdrSize))
	}
	if size > maxExtent {
		return KindUnknown, 0, fmt.Errorf("ELF program header table: %d entries at %d end beyond 2 GiB", h.phnum, h.phoff)
	}
	err = h.programs(src, func(p program) error {
		if p.kind == elf.PT_NULL || p.filesz == 0 {
			return nil
		}
		if end(p.off, p.filesz) > maxExtent {
			return fmt.Errorf("ELF segment %d: %d bytes at %d end beyond 2 GiB", p.number, p.filesz, p.off)
		}
		size = max(size, p.off+p.filesz)
		return nil
	})
	if err != nil {
		return KindUnknown, 0, err
	}
	number := 0
	err = h.sections(src, func(s section) error {
		number++
		if s.kind == elf.SHT_NULL || s.kind == elf.SHT_NOBITS || s.size == 0 {
			return nil
		}
		if end(s.off, s.size) > maxExtent {
			return fmt.Errorf("ELF section %d: %d bytes at %d end beyond 2 GiB", number-1, s.size, s.off)
		}
		size = max(size, s.off+s.size)
		return nil
	})
	if err != nil {
		return KindUnknown, 0, err
	}
	if h.machine == elf.EM_CUDA {
		return KindCubin, size, nil
	}
	return KindHSACO, size, nil
}

// programs calls f for each program header, in order.
func (h *header) programs(src source, f func(program) error) error {
	number := uint64(0)
	return eachEntry(src, "program header table", h.phoff, h.phnum, phdrSize, func(b []byte) error {
		p := program{
			kind:   elf.ProgType(le.Uint32(b)),
			flags:  elf.ProgFlag(le.Uint32(b[4:])),
			off:    le.Uint64(b[8:]),
			vaddr:  le.Uint64(b[16:]),
			filesz: le.Uint64(b[32:]),
			memsz:  le.Uint64(b[40:]),
			align:  le.Uint64(b[48:]),
			number: number,
		}
		number++
		return f(p)
	})
}

// sections calls f for each section header, in order, including the empty first one.
func (h *header) sections(src source, f func(section) error) error {
	return eachEntry(src, "section table", h.shoff, h.shnum, shdrSize, func(b []byte) error {
		return f(decodeSection(b))
	})
}

func decodeSection(b []byte) section {
	return section{
		nameOff: le.Uint32(b),
		kind:    elf.SectionType(le.Uint32(b[4:])),
		flags:   elf.SectionFlag(le.Uint64(b[8:])),
		addr:    le.Uint64(b[16:]),
		off:     le.Uint64(b[24:]),
		size:    le.Uint64(b[32:]),
		link:    le.Uint32(b[40:]),
		info:    le.Uint32(b[44:]),
		align:   le.Uint64(b[48:]),
		entsz:   le.Uint64(b[56:]),
	}
}

// eachEntry calls f for each of n entries of a table. It reads many entries at once.
func eachEntry(src source, table string, off, n uint64, size int, f func([]byte) error) error {
	per := uint64(4096 / size)
	for i := uint64(0); i < n; i += per {
		some := min(per, n-i)
		at := off + i*uint64(size)
		b, err := src.bytes(at, some*uint64(size))
		if err != nil {
			return fmt.Errorf("ELF %s: entries %d to %d at %d, which ends at %d: %w", table, i, i+some-1, at, off+n*uint64(size), err)
		}
		for ; len(b) > 0; b = b[size:] {
			if err := f(b[:size]); err != nil {
				return err
			}
		}
	}
	return nil
}
