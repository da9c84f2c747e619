package source

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// object makes an ELF file of a unit with a line table. The table has one line, of address 0x1000, if directories is 1.
func object(t *testing.T, infoEnd []byte, directories uint64) []byte {
	t.Helper()
	order := binary.LittleEndian
	header := []byte{1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1} // from the instructions' length to the opcodes'
	header = append(header, 1, 1, formString)                                   // directories: their path
	header = binary.AppendUvarint(header, directories)
	header = append(header, "/\x00"...)
	header = append(header, 1, 1, formString, 2) // files
	header = append(header, "b.cl\x00a.cl\x00"...)
	program := append([]byte{0, 9, 2}, order.AppendUint64(nil, 0x1000)...) // address
	program = append(program, 3, 6, 1, 2, 1, 0, 1, 1)                      // line 7, copy, 1 on, end
	lines := order.AppendUint16(nil, 5)
	lines = append(lines, 8, 0)
	lines = order.AppendUint32(lines, uint32(len(header)))
	lines = append(append(lines, header...), program...)
	lines = append(order.AppendUint32(nil, uint32(len(lines))), lines...)

	info := append([]byte{5, 0, 1, 8, 0, 0, 0, 0, 1, 0, 0, 0, 0}, infoEnd...) // version 5, a unit, addresses of 8 bytes; entry 1
	info = append(order.AppendUint32(nil, uint32(len(info))), info...)

	sections := []struct {
		name string
		data []byte
	}{
		{".debug_abbrev", []byte{1, 0x11, 0, 0x10, 0x17, 0, 0, 0}}, // entry 1: a unit without children; offset of its table
		{".debug_info", info}, {".debug_line", lines}, {".debug_line_str", []byte{0}}, {".debug_str", []byte{0}},
	}
	names, body := []byte{0}, make([]byte, 64)
	headers := []elf.Section64{{}}
	add := func(name string, kind elf.SectionType, data []byte) {
		headers = append(headers, elf.Section64{Name: uint32(len(names)), Type: uint32(kind), Off: uint64(len(body)), Size: uint64(len(data)), Addralign: 1})
		names = append(append(names, name...), 0)
		body = append(body, data...)
	}
	for _, s := range sections {
		add(s.name, elf.SHT_PROGBITS, s.data)
	}
	add(".shstrtab", elf.SHT_STRTAB, append(names, ".shstrtab\x00"...))
	file := elf.Header64{Type: uint16(elf.ET_DYN), Machine: uint16(elf.EM_AMDGPU), Version: 1, Shoff: uint64(len(body)),
		Ehsize: 64, Phentsize: 56, Shentsize: 64, Shnum: uint16(len(headers)), Shstrndx: uint16(len(headers) - 1)}
	copy(file.Ident[:], "\x7fELF\x02\x01\x01")
	var first, last bytes.Buffer
	require.NoError(t, binary.Write(&first, order, &file))
	require.NoError(t, binary.Write(&last, order, headers))
	return append(append(first.Bytes(), body[64:]...), last.Bytes()...)
}

func TestLinesOfAnObject(t *testing.T) {
	lines := New(object(t, nil, 1), 0x1000)
	assert.Equal(t, "a.cl:7", lines.Line(0))
	assert.Equal(t, "a.cl:7", New(object(t, []byte{0, 0, 0}, 1), 0x1000).Line(0), "null entries fill the unit up")
	assert.Len(t, lines.lines, 2)
}

// debug/dwarf reads such a number as zero and stays where it is.
func TestEntriesEndWhereTheDataEndsWithinANumber(t *testing.T) {
	assert.Equal(t, "a.cl:7", New(object(t, []byte{0x80}, 1), 0x1000).Line(0))
}

// debug/dwarf allocates the names that are announced: where memory does not suffice, the process ends.
func TestTablesWithMoreNamesThanBytesHaveNoLines(t *testing.T) {
	for _, directories := range []uint64{1 << 12, 1 << 30, 1 << 40, 1<<64 - 1} {
		assert.False(t, New(object(t, nil, directories), 0x1000).Any(), directories)
	}
}
