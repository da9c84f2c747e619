package codeobj

import (
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"strings"
)

// cubinUnshareable looks for a cubin's variables. Global variables have sections of their own. Objects in a constant
// bank of the module can be named by cuModuleGetGlobal, whether they are local or not (tried with driver 580). A
// kernel's bank, .nv.constant0.NAME, only has its parameters and constants of the compiler.
func cubinUnshareable(image []byte) (string, error) {
	src := imageSource(image)
	kind, size, err := src.extent()
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
	constant := ""
	for i, s := range o.tables {
		switch {
		case s.size == 0:
		case s.name == ".nv.global" || s.name == ".nv.global.init":
			name := cmp.Or(o.cubinVariable(i), "in section "+s.name)
			return fmt.Sprintf("variable %s can be written", name), nil
		case constant == "" && moduleBank(s.name):
			if name := o.cubinVariable(i); name != "" {
				constant = fmt.Sprintf("constant %s can be set by the host", name)
			}
		}
	}
	return constant, nil
}

// moduleBank reports whether a section is a constant bank of the whole module: .nv.constant3.
func moduleBank(section string) bool {
	bank, ok := strings.CutPrefix(section, ".nv.constant")
	return ok && bank != "" && strings.Trim(bank, "0123456789") == ""
}

// cubinVariable returns the name of a variable in a section; empty if no symbol names one.
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
	return ""
}
