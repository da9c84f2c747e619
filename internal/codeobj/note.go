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

// metadataNotes returns the contents of the metadata notes, from the note segments or, without them, the note sections.
// There are several if several objects were linked.
func (o *Object) metadataNotes() ([][]byte, error) {
	spans := o.notes
	for _, s := range o.tables {
		if len(o.notes) == 0 && s.kind == elf.SHT_NOTE {
			spans = append(spans, span{s.off, s.off + s.size})
		}
	}
	var found [][]byte
	for _, s := range spans {
		some, err := findNotes(o.file(s.lo, s.hi-s.lo), noteOwner, noteMetadata)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	if len(found) == 0 {
		return nil, errors.New("the code object has no AMDGPU metadata note")
	}
	return found, nil
}

// findNotes returns the contents of the notes of one kind. Names and contents are padded to four bytes.
func findNotes(b []byte, owner string, kind uint32) (found [][]byte, err error) {
	for len(b) >= 12 {
		nameSize, descSize, k := uint64(le.Uint32(b)), uint64(le.Uint32(b[4:])), le.Uint32(b[8:])
		descAt := 12 + (nameSize+3)&^3
		if descAt+descSize > uint64(len(b)) {
			return nil, fmt.Errorf("ELF note of type %d: a name of %d and contents of %d bytes, but %d are there", k, nameSize, descSize, len(b)-12)
		}
		if k == kind && string(b[12:12+nameSize]) == owner {
			found = append(found, b[descAt:descAt+descSize:descAt+descSize])
		}
		b = b[min(uint64(len(b)), descAt+(descSize+3)&^3):]
	}
	return found, nil
}
