package codeobj

import (
	"debug/elf"
	"fmt"
)

// RelocType is an R_AMDGPU_* relocation.
type RelocType uint32

const (
	RelocNone       RelocType = 0
	RelocAbs32Lo    RelocType = 1
	RelocAbs32Hi    RelocType = 2
	RelocAbs64      RelocType = 3
	RelocRel32      RelocType = 4
	RelocRel64      RelocType = 5
	RelocAbs32      RelocType = 6
	RelocRel32Lo    RelocType = 10
	RelocRel32Hi    RelocType = 11
	RelocRelative64 RelocType = 13
)

// relocForms says, by type, what is stored: size bytes of a value shifted right. The value is symbol (or base) plus
// addend, minus the address of the place for relative types.
var relocForms = map[RelocType]struct {
	name     string
	size     int
	shift    uint
	fromBase bool
	relative bool
}{
	RelocNone:       {name: "R_AMDGPU_NONE"},
	RelocAbs32Lo:    {name: "R_AMDGPU_ABS32_LO", size: 4},
	RelocAbs32Hi:    {name: "R_AMDGPU_ABS32_HI", size: 4, shift: 32},
	RelocAbs64:      {name: "R_AMDGPU_ABS64", size: 8},
	RelocRel32:      {name: "R_AMDGPU_REL32", size: 4, relative: true},
	RelocRel64:      {name: "R_AMDGPU_REL64", size: 8, relative: true},
	RelocAbs32:      {name: "R_AMDGPU_ABS32", size: 4},
	RelocRel32Lo:    {name: "R_AMDGPU_REL32_LO", size: 4, relative: true},
	RelocRel32Hi:    {name: "R_AMDGPU_REL32_HI", size: 4, shift: 32, relative: true},
	RelocRelative64: {name: "R_AMDGPU_RELATIVE64", size: 8, fromBase: true},
}

func (t RelocType) String() string {
	if f, ok := relocForms[t]; ok {
		return f.name
	}
	return fmt.Sprintf("R_AMDGPU_%d", uint32(t))
}

// Reloc is a place whose contents depend on the address at which the object, or a symbol, is loaded.
type Reloc struct {
	Addr   uint64 // address of the place, which is inside one segment
	Type   RelocType
	Symbol int // index in Object.Symbols; -1: none
	Addend int64
}

// Size returns how many bytes the relocation writes: 0, 4 or 8.
func (r *Reloc) Size() int { return relocForms[r.Type].size }

// Value returns the contents of the place, in the low Size bytes, if the object is loaded at base and the symbol, if
// there is one, is at address symbol.
func (r *Reloc) Value(base, symbol uint64) uint64 {
	f := relocForms[r.Type]
	if f.fromBase {
		symbol = base
	}
	v := symbol + uint64(r.Addend)
	if f.relative {
		v -= base + r.Addr
	}
	if v >>= f.shift; f.size == 4 {
		v = uint64(uint32(v))
	}
	return v
}

// readRelocs reads DT_RELA and DT_JMPREL. AMDGPU has no other form.
func (o *Object) readRelocs(tags dynamicTags) error {
	for _, other := range []elf.DynTag{elf.DT_REL, dtRelr} {
		if _, ok := tags[other]; ok {
			return fmt.Errorf("relocations: the form of %v is not known for AMDGPU", other)
		}
	}
	for _, t := range [][2]elf.DynTag{{elf.DT_RELA, elf.DT_RELASZ}, {elf.DT_JMPREL, elf.DT_PLTRELSZ}} {
		if tags[t[1]] == 0 {
			continue
		}
		b, err := o.Bytes(tags[t[0]], tags[t[1]])
		if err != nil {
			return fmt.Errorf("relocations: %w", err)
		}
		for i := 0; i+relaSize <= len(b); i += relaSize {
			if err := o.readReloc(b[i:]); err != nil {
				return fmt.Errorf("relocation %d: %w", i/relaSize, err)
			}
		}
	}
	return nil
}

const dtRelr elf.DynTag = 36

func (o *Object) readReloc(b []byte) error {
	info := le.Uint64(b[8:])
	r := Reloc{Addr: le.Uint64(b), Type: RelocType(info), Symbol: int(info >> 32), Addend: int64(le.Uint64(b[16:]))}
	form, ok := relocForms[r.Type]
	switch {
	case !ok:
		return fmt.Errorf("type %d is not known", uint32(r.Type))
	case r.Type == RelocNone:
		return nil
	case r.Symbol >= o.dynsyms && r.Symbol > 0:
		return fmt.Errorf("%v: symbol %d of %d", r.Type, r.Symbol, o.dynsyms)
	case o.segmentOf(r.Addr, uint64(form.size)) == nil:
		return fmt.Errorf("%v: address %#x is in no segment", r.Type, r.Addr)
	}
	if r.Symbol == 0 {
		r.Symbol = -1
	}
	o.Relocs = append(o.Relocs, r)
	return nil
}
