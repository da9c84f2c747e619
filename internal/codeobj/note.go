package codeobj

import (
	"debug/elf"
	"errors"
	"fmt"
)

const (
	noteOwner    = "AMDGPU\x00"
	noteMetadata = 32 // NT_AMDGPU_METADATA
)

// metadataNote returns the contents of the first metadata note, from the note
// segments or, without them, the note sections.
func (o *Object) metadataNote() ([]byte, error) {
	spans := o.notes
	for _, s := range o.tables {
		if len(o.notes) == 0 && s.kind == elf.SHT_NOTE {
			spans = append(spans, span{s.off, s.off + s.size})
		}
	}
	for _, s := range spans {
		desc, err := findNote(o.file(s.lo, s.hi-s.lo), noteOwner, noteMetadata)
		if err != nil || desc != nil {
			return desc, err
		}
	}
	return nil, errors.New("the code object has no AMDGPU metadata note")
}

// findNote returns the contents of a note, or nil. Names and contents are padded to four bytes.
func findNote(b []byte, owner string, kind uint32) ([]byte, error) {
	for len(b) >= 12 {
		nameSize, descSize, k := uint64(le.Uint32(b)), uint64(le.Uint32(b[4:])), le.Uint32(b[8:])
		descAt := 12 + (nameSize+3)&^3
		if descAt+descSize > uint64(len(b)) {
			return nil, fmt.Errorf("ELF note of type %d: a name of %d and contents of %d bytes, but %d are there", k, nameSize, descSize, len(b)-12)
		}
		if k == kind && string(b[12:12+nameSize]) == owner {
			return b[descAt : descAt+descSize : descAt+descSize], nil
		}
		b = b[min(uint64(len(b)), descAt+(descSize+3)&^3):]
	}
	return nil, nil
}
