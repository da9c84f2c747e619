package codeobj

import (
	"debug/elf"
	"strings"
)

// span is [lo, hi).
type span struct{ lo, hi uint64 }

// findMutable finds the memory that kernels may write: writable segments without the sections that only the loader
// writes.
func (o *Object) findMutable(source, *header) error {
	for _, s := range o.Segments {
		if s.Flags&elf.PF_W != 0 && s.MemSize > 0 {
			o.mutable = append(o.mutable, span{s.Addr, s.Addr + s.MemSize})
		}
	}
	for _, r := range o.relro {
		o.mutable = cut(o.mutable, r)
	}
	o.mutable = cut(o.mutable, o.dynamic)
	for i := range o.tables {
		if s := &o.tables[i]; loaderOnly(s) {
			o.mutable = cut(o.mutable, span{s.addr, end(s.addr, s.size)})
		}
	}
	return nil
}

func (o *Object) mutableAt(addr uint64) bool {
	for _, s := range o.mutable {
		if addr >= s.lo && addr < s.hi {
			return true
		}
	}
	return false
}

// loaderOnly reports whether a writable section only has constants that need relocation, in an object that was linked
// without relro.
func loaderOnly(s *section) bool {
	return s.addr != 0 && (s.name == ".got" || s.name == ".relro_padding" || strings.HasPrefix(s.name, ".data.rel.ro"))
}

// cut removes hole from spans.
func cut(spans []span, hole span) []span {
	if hole.lo >= hole.hi {
		return spans
	}
	var rest []span
	for _, s := range spans {
		if hole.lo >= s.hi || hole.hi <= s.lo {
			rest = append(rest, s)
			continue
		}
		if s.lo < hole.lo {
			rest = append(rest, span{s.lo, hole.lo})
		}
		if hole.hi < s.hi {
			rest = append(rest, span{hole.hi, s.hi})
		}
	}
	return rest
}
