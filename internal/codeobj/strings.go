package codeobj

import (
	"bytes"
	"errors"
	"fmt"
)

// stringTable is an ELF string table.
type stringTable struct {
	text []byte
	copy string // of all of text, of which names are parts; empty if text is long
	left int    // number of bytes of names that may still be read
}

// overlap bounds the total length of names relative to the table. Linkers let names share their endings, so the total
// may be larger than the table, but not by more than that.
const overlap = 64

// stringTable returns a string table of the image. Names are copied from it.
func (o *Object) stringTable(b []byte) *stringTable {
	t := &stringTable{text: b, left: overlap*len(b) + 4096}
	if len(b) <= 4096 { // one allocation instead of one for each name
		t.copy = string(b)
	}
	return t
}

var errOverlap = errors.New("the names of its string table overlap too much to be believed")

// at returns the NUL-terminated name at off. An empty table has an empty name
// at 0.
func (t *stringTable) at(off uint32) (string, error) {
	if off == 0 && len(t.text) == 0 {
		return "", nil
	}
	if uint64(off) < uint64(len(t.text)) {
		name, _, ended := bytes.Cut(t.text[off:], []byte{0})
		if t.left -= len(name); t.left < 0 {
			return "", errOverlap
		}
		switch {
		case ended && t.copy != "":
			return t.copy[off : int(off)+len(name)], nil
		case ended:
			return string(name), nil
		}
	}
	return "", fmt.Errorf("its name at %d does not end in the string table of %d bytes", off, len(t.text))
}
