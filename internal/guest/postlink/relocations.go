package main

import (
	"debug/elf"
	"errors"
	"fmt"
	"slices"
)

// span is a range of addresses, its end not included.
type span struct{ begin, end uint64 }

func (s span) contains(addr, size uint64) bool {
	return addr >= s.begin && addr <= s.end && s.end-addr >= size
}

// goRanges are the symbols that Go's linker puts around its own data. What little
// of it lies outside of them the loader relocates.
var goRanges = [][2]string{
	{"runtime.types", "runtime.etypes"}, // read-only: types, function values, itabs
	{"runtime.data", "runtime.edata"},
	{"runtime.noptrdata", "runtime.enoptrdata"},
}

// The name that the assembler gives to the one object that is all Go code.
const goObject = "go.go"

// goData are the ranges that hold nothing but Go's data.
func (l *library) goData() ([]span, error) {
	// Otherwise the loader starts the runtime, with its data not relocated.
	if _, err := l.symbol("mgpu_late_entry.ptr"); err != nil {
		return nil, fmt.Errorf("not linked with -E=mgpu_late_entry: %w", err)
	}
	var ranges []span
	for _, names := range goRanges {
		begin, err := l.symbol(names[0])
		if err != nil {
			return nil, err
		}
		end, err := l.symbol(names[1])
		if err != nil {
			return nil, err
		}
		if begin.Section != end.Section || begin.Value > end.Value {
			return nil, fmt.Errorf("no range from %s to %s", names[0], names[1])
		}
		ranges = append(ranges, span{begin.Value, end.Value})
	}
	return ranges, l.refuseForeign(ranges)
}

// refuseForeign looks for variables of C in ranges. A file's local symbols follow
// its name; those after the linker's own nameless file were global once.
func (l *library) refuseForeign(ranges []span) error {
	file := ""
	for _, s := range l.symbols {
		switch elf.ST_TYPE(s.Info) {
		case elf.STT_FILE:
			file = s.Name
			continue
		case elf.STT_OBJECT:
		default:
			continue
		}
		if elf.ST_BIND(s.Info) != elf.STB_LOCAL || file == "" || file == goObject || s.Section == elf.SHN_UNDEF {
			continue
		}
		for _, r := range ranges {
			if r.contains(s.Value, max(s.Size, 1)) {
				return fmt.Errorf("%s of %s lies within Go's data", s.Name, file)
			}
		}
	}
	return nil
}

// relocationSize is the size of an Elf64_Rela: place, kind and symbol, addend.
const relocationSize = 24

// table is where a table lies in memory and in the file, in bytes.
type table struct{ addr, offset, size uint64 }

// splitRelocations moves the relative relocations whose places are in ranges to
// the end of .rela.dyn, and has the dynamic section and the section's header end
// before them. It returns the place of those moved.
func (l *library) splitRelocations(ranges []span) (table, error) {
	section, b, err := l.section(".rela.dyn")
	if err != nil {
		return table{}, err
	}
	if len(b)%relocationSize != 0 {
		return table{}, fmt.Errorf("%s has %d bytes, no multiple of %d", section.Name, len(b), relocationSize)
	}
	var now, late [][]byte
	leading := 0 // relative relocations, of now
	for all := slices.Clone(b); len(all) > 0; all = all[relocationSize:] {
		r := all[:relocationSize:relocationSize]
		place := little.Uint64(r)
		relative := little.Uint64(r[8:]) == uint64(elf.R_X86_64_RELATIVE)
		switch {
		case relative && slices.ContainsFunc(ranges, func(s span) bool { return s.contains(place, 8) }):
			late = append(late, r)
			continue
		case relative && leading == len(now):
			leading++
		}
		now = append(now, r)
	}
	if len(late) == 0 {
		return table{}, errors.New("no relocation is in Go's data")
	}
	slices.SortStableFunc(late, func(a, b []byte) int {
		switch x, y := little.Uint64(a), little.Uint64(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	for i, r := range late[1:] {
		if little.Uint64(r) == little.Uint64(late[i]) {
			return table{}, fmt.Errorf("two relocations of %#x", little.Uint64(r))
		}
	}
	copy(b, slices.Concat(slices.Concat(now...), slices.Concat(late...)))
	kept := uint64(len(now)) * relocationSize
	if err := l.limitDynamic(section, kept, uint64(leading)); err != nil {
		return table{}, err
	}
	return table{section.Addr + kept, section.Offset + kept, section.FileSize - kept}, nil
}

// limitDynamic writes the loader's new sizes: of the table that section is, and
// how many relative relocations it starts with.
func (l *library) limitDynamic(section *elf.Section, size, leading uint64) error {
	_, b, err := l.section(".dynamic")
	if err != nil {
		return err
	}
	const entry = 16
	values := map[elf.DynTag][]byte{}
	for ; len(b) >= entry && little.Uint64(b) != uint64(elf.DT_NULL); b = b[entry:] {
		values[elf.DynTag(little.Uint64(b))] = b[8:entry]
	}
	for tag, want := range map[elf.DynTag]uint64{
		elf.DT_RELA: section.Addr, elf.DT_RELASZ: section.FileSize, elf.DT_RELAENT: relocationSize,
	} {
		if v := values[tag]; v == nil || little.Uint64(v) != want {
			return fmt.Errorf("the dynamic section's %s is not that of %s", tag, section.Name)
		}
	}
	little.PutUint64(values[elf.DT_RELASZ], size)
	if v := values[elf.DT_RELACOUNT]; v != nil {
		little.PutUint64(v, leading)
	}
	return nil
}
