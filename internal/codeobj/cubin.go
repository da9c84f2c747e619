package codeobj

import (
	"debug/elf"
	"errors"
	"fmt"
)

// cubinUnshareable looks for the sections that hold a cubin's global variables.
func cubinUnshareable(image []byte) (string, error) {
	src := imageSource(image)
	kind, size, err := Extent(src)
	if err != nil {
		return "", err
	}
	if kind != KindCubin || size > uint64(len(image)) {
		return "", fmt.Errorf("%v of %d bytes, of which %d are there", kind, size, len(image))
	}
	h, err := readHeader(src)
	if err != nil {
		return "", err
	}
	o := &Object{image: image[:size:size]}
	if err := o.readSections(src, h); err != nil {
		return "", err
	}
	if len(o.tables) == 0 || o.tables[min(h.shstrndx, uint64(len(o.tables)-1))].kind != elf.SHT_STRTAB {
		return "", errors.New("the cubin has no section names")
	}
	for i, s := range o.tables {
		if s.size > 0 && (s.name == ".nv.global" || s.name == ".nv.global.init") {
			return fmt.Sprintf("variable %s can be written", o.cubinVariable(i)), nil
		}
	}
	return "", nil
}

// cubinVariable names a variable of a section.
func (o *Object) cubinVariable(section int) string {
	for _, s := range o.tables {
		if s.kind != elf.SHT_SYMTAB || uint64(s.link) >= uint64(len(o.tables)) {
			continue
		}
		names := o.tables[s.link]
		if names.kind != elf.SHT_STRTAB {
			continue
		}
		table, text := o.file(s.off, s.size), o.stringTable(o.file(names.off, names.size))
		for ; len(table) >= symSize; table = table[symSize:] {
			if elf.ST_TYPE(table[4]) != elf.STT_OBJECT || int(le.Uint16(table[6:])) != section {
				continue
			}
			if name, err := text.at(le.Uint32(table)); err == nil && name != "" {
				return name
			}
		}
	}
	return "in section " + o.tables[section].name
}
