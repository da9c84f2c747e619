package source

import (
	"bytes"
	"encoding/binary"
)

// countsFit reports whether the line table at the beginning of data, a part of .debug_line, announces at most as many
// directories and files as it has bytes. debug/dwarf allocates what is announced, and the process ends where that is
// more memory than there is. Tables before DWARF 5 announce no counts.
func countsFit(data []byte, order binary.ByteOrder) bool {
	t := table{rest: data, order: order}
	if length := t.number(4); length == 0xffffffff {
		t.wide = true
		t.skip(8)
	}
	if version := t.number(2); t.short || version < 5 {
		return !t.short
	}
	t.skip(1 + 1 + t.offsetSize()) // sizes of addresses and segments, length of the header
	t.skip(1 + 1 + 1 + 1 + 1)      // instructions, statements, lines
	if opcodes := t.number(1); opcodes > 0 {
		t.skip(opcodes - 1)
	}
	directories := t.list()
	files := t.list()
	return directories && files
}

// table is a line table that is read up to its program.
type table struct {
	rest  []byte
	order binary.ByteOrder
	wide  bool // offsets have 64 bits
	short bool // the data ended early
}

// list reads one of the header's lists, and reports whether its count fits in the rest.
func (t *table) list() bool {
	formats := t.number(1)
	forms := make([]uint64, 0, formats)
	for range formats {
		t.leb() // what the form contains
		forms = append(forms, t.leb())
	}
	count := t.leb()
	if t.short || count > uint64(len(t.rest)) {
		return false
	}
	for range count {
		for _, form := range forms {
			t.value(form)
		}
		if t.short {
			return false
		}
	}
	return true
}

// Forms of DWARF 5 that debug/dwarf reads in a line table; it takes the others for empty.
const (
	formData2   = 0x05
	formData4   = 0x06
	formData8   = 0x07
	formString  = 0x08
	formBlock   = 0x09
	formData1   = 0x0b
	formStrp    = 0x0e
	formUdata   = 0x0f
	formStrx    = 0x1a
	formStrpSup = 0x1d
	formData16  = 0x1e
	formLineStr = 0x1f
	formStrx1   = 0x25
	formStrx2   = 0x26
	formStrx3   = 0x27
	formStrx4   = 0x28
)

func (t *table) value(form uint64) {
	switch form {
	case formString:
		end := bytes.IndexByte(t.rest, 0)
		t.skip(uint64(end) + 1)
		t.short = t.short || end < 0
	case formBlock:
		t.skip(t.leb())
	case formUdata, formStrx:
		t.leb()
	case formStrp, formLineStr, formStrpSup:
		t.skip(t.offsetSize())
	case formData1, formStrx1:
		t.skip(1)
	case formData2, formStrx2:
		t.skip(2)
	case formStrx3:
		t.skip(3)
	case formData4, formStrx4:
		t.skip(4)
	case formData8:
		t.skip(8)
	case formData16:
		t.skip(16)
	}
}

func (t *table) offsetSize() uint64 {
	if t.wide {
		return 8
	}
	return 4
}

func (t *table) skip(n uint64) { t.bytes(n) }

// bytes returns the next n bytes, or nil if there are fewer.
func (t *table) bytes(n uint64) []byte {
	if n > uint64(len(t.rest)) {
		t.rest, t.short = nil, true
		return nil
	}
	b := t.rest[:n]
	t.rest = t.rest[n:]
	return b
}

// number reads an unsigned number of 1, 2 or 4 bytes.
func (t *table) number(size uint64) uint64 {
	b := t.bytes(size)
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(t.order.Uint16(b))
	case 4:
		return uint64(t.order.Uint32(b))
	}
	return 0
}

func (t *table) leb() uint64 {
	n, size := binary.Uvarint(t.rest)
	if size <= 0 {
		t.rest, t.short = nil, true
		return 0
	}
	t.rest = t.rest[size:]
	return n
}
