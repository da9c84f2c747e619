package codeobj

import (
	"debug/elf"
	"fmt"
)

// Symbol is one entry of a code object's symbol tables.
type Symbol struct {
	Name        string
	Value, Size uint64
	Type        elf.SymType
	Bind        elf.SymBind
	Section     uint16 // index of a section, or one of ELF's special numbers
	Writable    bool   // in memory that kernels may write
}

// Defined reports whether Value is an address in the code object.
func (s *Symbol) Defined() bool {
	return s.Section != uint16(elf.SHN_UNDEF) && s.Section < uint16(elf.SHN_LORESERVE)
}

// Symbol returns the symbol with a name, or nil. A dynamic symbol takes precedence.
func (o *Object) Symbol(name string) *Symbol {
	if i, ok := o.byName[name]; ok {
		return &o.Symbols[i]
	}
	return nil
}

// readLocalSymbols adds the symbols that only the full symbol table has, except labels within functions, of which
// assembly has millions.
func (o *Object) readLocalSymbols(source, *header) error {
	for _, s := range o.tables {
		if s.kind != elf.SHT_SYMTAB {
			continue
		}
		if uint64(s.link) >= uint64(len(o.tables)) || o.tables[s.link].kind != elf.SHT_STRTAB {
			return fmt.Errorf("ELF symbol table %s: section %d is not its string table", s.name, s.link)
		}
		names := o.stringTable(o.file(o.tables[s.link].off, o.tables[s.link].size))
		table := o.file(s.off, s.size)
		for i := symSize; i+symSize <= len(table); i += symSize { // the first is empty
			if info := table[i+4]; elf.ST_TYPE(info) == elf.STT_NOTYPE && elf.ST_BIND(info) == elf.STB_LOCAL {
				continue
			}
			sym, err := o.decodeSymbol(table[i:], names)
			if err != nil {
				return fmt.Errorf("ELF symbol table %s: entry %d: %w", s.name, i/symSize, err)
			}
			if _, known := o.byName[sym.Name]; sym.Bind == elf.STB_LOCAL || !known {
				o.addSymbol(sym)
			}
		}
		return nil // ELF allows one such table
	}
	return nil
}

func (o *Object) addSymbol(s Symbol) {
	if o.byName == nil {
		o.byName = map[string]int{}
	}
	if i, known := o.byName[s.Name]; !known || !o.Symbols[i].Defined() && s.Defined() {
		o.byName[s.Name] = len(o.Symbols)
	}
	o.Symbols = append(o.Symbols, s)
}

func (o *Object) decodeSymbol(b []byte, names *stringTable) (Symbol, error) {
	s := Symbol{
		Type:    elf.ST_TYPE(b[4]),
		Bind:    elf.ST_BIND(b[4]),
		Section: le.Uint16(b[6:]),
		Value:   le.Uint64(b[8:]),
		Size:    le.Uint64(b[16:]),
	}
	name, err := names.at(le.Uint32(b))
	if err != nil {
		return s, err
	}
	s.Name = name
	if s.Defined() && s.Type != elf.STT_SECTION && s.Type != elf.STT_FILE {
		s.Writable = o.mutableAt(s.Value)
	}
	return s, nil
}
