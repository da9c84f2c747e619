package main

import (
	"bytes"
	"crypto/sha1"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
)

// library is a linked shared library. data is the whole file; what is changed in
// it leaves elf as it was read.
type library struct {
	data    []byte
	elf     *elf.File
	symbols []elf.Symbol
}

var little = binary.LittleEndian

// The fields of the file's header that are read or written, by their offset.
const (
	headerSize     = 64 // of an ELF file's header, and of a section's
	sectionsAt     = 40 // 8 bytes: where the section headers are
	sectionsNumber = 60 // 2 bytes
	namesSection   = 62 // 2 bytes: the section with the sections' names
)

func open(data []byte) (*library, error) {
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if f.Class != elf.ELFCLASS64 || f.Data != elf.ELFDATA2LSB || f.Machine != elf.EM_X86_64 || f.Type != elf.ET_DYN {
		return nil, fmt.Errorf("not a shared library for x86-64: %s, %s, %s, %s", f.Class, f.Data, f.Machine, f.Type)
	}
	l := &library{data: data, elf: f}
	for _, s := range f.Sections {
		if _, err := l.contents(s); err != nil {
			return nil, err
		}
	}
	if l.symbols, err = f.Symbols(); err != nil {
		return nil, err
	}
	return l, nil
}

// contents are the bytes of a section in the file, to be read and written. A
// section that takes no room there has none.
func (l *library) contents(s *elf.Section) ([]byte, error) {
	if s.Type == elf.SHT_NOBITS || s.Type == elf.SHT_NULL {
		return nil, nil
	}
	n := uint64(len(l.data))
	if s.Offset > n || s.FileSize > n-s.Offset {
		return nil, fmt.Errorf("section %s lies outside the file", s.Name)
	}
	return l.data[s.Offset : s.Offset+s.FileSize], nil
}

// section is like contents, of a section that must be there.
func (l *library) section(name string) (*elf.Section, []byte, error) {
	s := l.elf.Section(name)
	if s == nil {
		return nil, nil, fmt.Errorf("no section %s", name)
	}
	b, err := l.contents(s)
	return s, b, err
}

// symbol finds the only definition of a name.
func (l *library) symbol(name string) (elf.Symbol, error) {
	var found []elf.Symbol
	for _, s := range l.symbols {
		if s.Name == name && s.Section != elf.SHN_UNDEF {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		return elf.Symbol{}, fmt.Errorf("%d definitions of %s, where one is needed", len(found), name)
	}
	return found[0], nil
}

// tell writes where the late relocations are into mgpu_late_relocations.
func (l *library) tell(late table) error {
	const name = "mgpu_late_relocations"
	s, err := l.symbol(name)
	if err != nil {
		return err
	}
	if int(s.Section) >= len(l.elf.Sections) || s.Size != 16 {
		return fmt.Errorf("%s is not a variable of 16 bytes", name)
	}
	in := l.elf.Sections[s.Section]
	b, err := l.contents(in)
	if err != nil {
		return err
	}
	if s.Value < in.Addr || s.Value-in.Addr > uint64(len(b)) || uint64(len(b))-(s.Value-in.Addr) < 16 {
		return fmt.Errorf("%s has no room in the file, in section %s", name, in.Name)
	}
	b = b[s.Value-in.Addr:][:16]
	if !bytes.Equal(b, make([]byte, 16)) {
		return errors.New("the relocations are split already")
	}
	little.PutUint64(b, late.addr)
	little.PutUint64(b[8:], late.size/relocationSize)
	return nil
}

// identify makes the build id that of out's contents. Without one, that's fine.
func (l *library) identify(out []byte) error {
	s := l.elf.Section(".note.gnu.build-id")
	if s == nil {
		return nil
	}
	const head = 16 // the sizes of name and id, the type, and the name "GNU"
	if s.FileSize != head+sha1.Size {
		return fmt.Errorf("the build id has %d bytes with its header, not %d: link with --build-id=sha1", s.FileSize, head+sha1.Size)
	}
	id := out[s.Offset+head:][:sha1.Size]
	clear(id)
	sum := sha1.Sum(out)
	copy(id, sum[:])
	return nil
}
