package main

import (
	"debug/elf"
	"errors"
	"fmt"
)

// The names of sections that are made here.
const (
	lateName  = ".mgpu.rela"
	namesName = ".shstrtab"
)

// stripped returns the library without sections that are not loaded, .comment
// excepted, and with one for the late relocations.
func (l *library) stripped(late table) ([]byte, error) {
	var kept []*elf.Section
	for i, s := range l.elf.Sections {
		switch loaded := s.Flags&elf.SHF_ALLOC != 0; {
		case loaded && i != len(kept):
			// Symbols and other sections name it by its number.
			return nil, fmt.Errorf("section %s follows one that is not loaded", s.Name)
		case loaded, s.Type == elf.SHT_NULL && i == 0, s.Name == ".comment":
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 || kept[0].Type != elf.SHT_NULL {
		return nil, errors.New("the first section is not the empty one")
	}
	end := uint64(headerSize)
	for _, p := range l.elf.Progs {
		end = max(end, p.Off+p.Filesz)
	}
	for _, s := range kept {
		if s.Type != elf.SHT_NOBITS && s.Type != elf.SHT_NULL {
			end = max(end, s.Offset+s.FileSize)
		}
	}
	if end > uint64(len(l.data)) {
		return nil, errors.New("a segment lies outside the file")
	}

	names := []byte{0}
	name := func(s string) uint32 {
		at := len(names)
		names = append(append(names, s...), 0)
		return uint32(at)
	}
	var headers []byte
	for _, s := range kept {
		h := header(s)
		if s.Type != elf.SHT_NULL {
			h.name = name(s.Name)
		}
		if s.Name == ".rela.dyn" {
			h.size -= late.size
		}
		headers = h.append(headers)
	}
	headers = sectionHeader{name: name(lateName), kind: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC,
		addr: late.addr, offset: late.offset, size: late.size, align: 8}.append(headers)
	last := sectionHeader{name: name(namesName), kind: elf.SHT_STRTAB, offset: end, align: 1}
	last.size = uint64(len(names))
	headers = last.append(headers)

	out := append(l.data[:end:end], names...)
	out = append(out, make([]byte, -len(out)&7)...)
	little.PutUint64(out[sectionsAt:], uint64(len(out)))
	little.PutUint16(out[sectionsNumber:], uint16(len(kept)+2))
	little.PutUint16(out[namesSection:], uint16(len(kept)+1))
	return append(out, headers...), nil
}

// sectionHeader is an Elf64_Shdr.
type sectionHeader struct {
	name               uint32
	kind               elf.SectionType
	flags              elf.SectionFlag
	addr, offset, size uint64
	link, info         uint32
	align, entry       uint64
}

// header is that of a section as it is, without its name.
func header(s *elf.Section) sectionHeader {
	return sectionHeader{kind: s.Type, flags: s.Flags, addr: s.Addr, offset: s.Offset, size: s.FileSize,
		link: s.Link, info: s.Info, align: s.Addralign, entry: s.Entsize}
}

func (h sectionHeader) append(to []byte) []byte {
	to = little.AppendUint32(to, h.name)
	to = little.AppendUint32(to, uint32(h.kind))
	for _, v := range []uint64{uint64(h.flags), h.addr, h.offset, h.size} {
		to = little.AppendUint64(to, v)
	}
	to = little.AppendUint32(to, h.link)
	to = little.AppendUint32(to, h.info)
	to = little.AppendUint64(to, h.align)
	return little.AppendUint64(to, h.entry)
}
