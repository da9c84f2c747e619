package codeobj

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// followedBy is a source that continues with other bytes after the image, and then
// cannot be read.
func followedBy(image []byte, more string) func([]byte, uint64) error {
	return imageSource(append(append([]byte(nil), image...), more...)).fill
}

func bundle(entries map[string][]byte, order ...string) []byte {
	b := []byte(bundleMagic)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(order)))
	at := uint64(len(b))
	for _, id := range order {
		at += 24 + uint64(len(id))
	}
	var contents []byte
	for _, id := range order {
		b = binary.LittleEndian.AppendUint64(b, at+uint64(len(contents)))
		b = binary.LittleEndian.AppendUint64(b, uint64(len(entries[id])))
		b = binary.LittleEndian.AppendUint64(b, uint64(len(id)))
		b = append(b, id...)
		contents = append(contents, entries[id]...)
	}
	return append(b, contents...)
}

func compressed(version uint16, size uint64) []byte {
	b := binary.LittleEndian.AppendUint16([]byte(compressedMagic), version)
	b = binary.LittleEndian.AppendUint16(b, 1)
	if version == 2 {
		b = binary.LittleEndian.AppendUint32(b, uint32(size))
	} else {
		b = binary.LittleEndian.AppendUint64(b, size)
	}
	return append(b, make([]byte, 64)...)
}

type fatbinPart struct {
	kind     uint16
	flags    uint64
	contents []byte
	unpacked int
}

func fatbin(parts ...fatbinPart) []byte {
	var body []byte
	for _, p := range parts {
		padded := append(append([]byte(nil), p.contents...), make([]byte, -len(p.contents)&7)...)
		h := make([]byte, fatbinEntryHeader)
		le.PutUint16(h, p.kind)
		le.PutUint32(h[4:], uint32(len(h)))
		le.PutUint64(h[8:], uint64(len(padded)))
		le.PutUint32(h[16:], uint32(len(p.contents)))
		le.PutUint64(h[40:], p.flags)
		le.PutUint64(h[56:], uint64(p.unpacked))
		body = append(append(body, h...), padded...)
	}
	b := append([]byte(fatbinMagic), 1, 0, 16, 0)
	return append(binary.LittleEndian.AppendUint64(b, uint64(len(body))), body...)
}

func TestExtentOfCodeObjects(t *testing.T) {
	for _, name := range hsacos {
		image := load(t, name+".hsaco")
		for _, more := range []string{"", "x", strings.Repeat("\x7fELF", 5000)} {
			kind, size, err := Extent(followedBy(image, more))
			require.NoError(t, err, name)
			assert.Equal(t, KindHSACO, kind)
			assert.Equal(t, uint64(len(image)), size, name)
		}
	}
}

func TestExtentWithoutSectionHeadersIsTheLastSegmentsEnd(t *testing.T) {
	image := stripped(load(t, "v5.hsaco"))
	_, size, err := Extent(imageSource(image).fill)
	require.NoError(t, err)
	o := parse(t, "v5")
	last := o.Segments[len(o.Segments)-1].Bytes
	assert.Equal(t, string(last), string(image[size-uint64(len(last)):size]))
}

func TestExtentReadsLittle(t *testing.T) {
	image := load(t, "v6.hsaco")
	read := 0
	_, _, err := Extent(func(buf []byte, off uint64) error {
		read += len(buf)
		require.LessOrEqual(t, len(buf), 4096)
		return imageSource(image).fill(buf, off)
	})
	require.NoError(t, err)
	assert.Less(t, read, 2500)
}

func TestExtentOfTruncatedImagesFails(t *testing.T) {
	images := map[string][]byte{
		"hsaco":  load(t, "v5.hsaco"),
		"bundle": bundle(map[string][]byte{"hipv4-amdgcn-amd-amdhsa--gfx906": {1, 2, 3}}, "hipv4-amdgcn-amd-amdhsa--gfx906"),
		"ptx":    append(load(t, "globals.ptx"), 0),
	}
	for name, image := range images {
		for n := 0; n < len(image); n += 64 {
			kind, size, err := Extent(imageSource(image[:n]).fill)
			if name != "ptx" && err == nil {
				assert.Greater(t, size, uint64(n), "%s cut at %d", name, n) // its table is whole
				continue
			}
			assert.Error(t, err, "%s cut at %d: %v", name, n, kind)
		}
	}
}

func TestExtentOfOtherImages(t *testing.T) {
	ptx := append(load(t, "globals.ptx"), 0)
	long := append([]byte("/* "+strings.Repeat("x", 20000)+" */ // y\n\t.version 8.0\n"+strings.Repeat("ret;\n", 5000)), 0)
	one := bundle(map[string][]byte{"a": []byte("abc"), "b": []byte("defgh")}, "a", "b")
	for name, c := range map[string]struct {
		image []byte
		size  int
		kind  Kind
	}{
		"PTX":             {ptx, len(ptx), KindPTX},
		"PTX, commented":  {long, len(long), KindPTX},
		"bundle":          {one, len(one), KindBundle},
		"empty bundle":    {bundle(nil), 32, KindBundle},
		"compressed, v2":  {compressed(2, 77), 77, KindCompressedBundle},
		"compressed, v3":  {compressed(3, 77), 77, KindCompressedBundle},
		"fatbin":          {fatbin(fatbinPart{kind: 1, contents: []byte("abc")}), 16 + 64 + 8, KindFatbin},
		"fatbin, nothing": {fatbin(), 16, KindFatbin},
	} {
		kind, size, err := Extent(followedBy(c.image, "\xff\x00\x01 more"))
		require.NoError(t, err, name)
		assert.Equal(t, c.kind, kind, name)
		assert.Equal(t, uint64(c.size), size, name)
	}
}

// patched returns a code object in which something has been changed.
func patched(t *testing.T, patch func(b []byte)) []byte {
	b := append([]byte(nil), load(t, "v5.hsaco")...)
	patch(b)
	return b
}

func TestExtentNamesWhatIsWrong(t *testing.T) {
	shdr := func(b []byte, i int) []byte { return b[le.Uint64(b[40:])+uint64(i)*shdrSize:] }
	for name, c := range map[string]struct {
		image []byte
		want  string
	}{
		"nothing":               {nil, "not a code object: nothing can be read"},
		"three bytes":           {[]byte{1, 2, 3}, "not a code object: starts with 01 02 03, and no more"},
		"zeros":                 {make([]byte, 100), "not a code object: starts with 00 00 00 00"},
		"other text":            {[]byte("define void @f()\x00"), "not a code object, but LLVM IR as text: gpu-module-to-binary{format=bin}"},
		"text, then data":       {[]byte(".version 8.0\n\x01\x00"), "not a code object: starts with 2e 76"},
		"PTX without NUL":       {[]byte("  .version 8.0\nret;"), "PTX text does not end with a NUL: nothing can be read past byte 19"},
		"ELF for the host":      {patched(t, func(b []byte) { le.PutUint16(b[18:], 62) }), "machine EM_X86_64 (62)"},
		"32 bit":                {patched(t, func(b []byte) { b[4] = 1 }), "class 1"},
		"big-endian":            {patched(t, func(b []byte) { b[5] = 2 }), "data encoding 2"},
		"header only":           {load(t, "v5.hsaco")[:70], "ELF section table at"},
		"huge section":          {patched(t, func(b []byte) { le.PutUint64(shdr(b, 3)[32:], 1<<40) }), "ELF section 3: 1099511627776 bytes"},
		"section wraps around":  {patched(t, func(b []byte) { le.PutUint64(shdr(b, 3)[24:], ^uint64(0)) }), "ELF section 3"},
		"section table is off":  {patched(t, func(b []byte) { le.PutUint64(b[40:], 1<<30) }), "ELF section table at 1073741824"},
		"section entry size":    {patched(t, func(b []byte) { b[58] = 63 }), "entries of 63 bytes, not 64"},
		"program entry size":    {patched(t, func(b []byte) { b[54] = 1 }), "entries of 1 bytes, not 56"},
		"too many sections":     {patched(t, func(b []byte) { b[60], b[61] = 0, 0; le.PutUint64(shdr(b, 0)[32:], 1<<50) }), "beyond 2 GiB"},
		"no sections at all":    {patched(t, func(b []byte) { b[60], b[61] = 0, 0 }), "it has no entries"},
		"programs out of reach": {patched(t, func(b []byte) { le.PutUint64(b[32:], 1<<62) }), "ELF program header table"},
		"segment too long":      {patched(t, func(b []byte) { le.PutUint64(b[64+56+32:], 1<<62) }), "ELF segment 1"},
		"bundle, many":          {append([]byte(bundleMagic), 0xff, 0xff, 0xff, 0, 0, 0, 0, 0), "16777215 entries are not believed"},
		"bundle, long id":       {append(bundle(nil)[:24], append([]byte{1, 0, 0, 0, 0, 0, 0, 0}, bytes.Repeat([]byte{0, 0, 0, 0, 0, 1, 0, 0}, 3)...)...), "an id of 1099511627776 bytes"},
		"bundle, no header":     {[]byte(bundleMagic), "offload bundle: header"},
		"compressed v1":         {compressed(1, 50), "does not record its length"},
		"compressed v9":         {compressed(9, 50), "version 9"},
		"compressed, short":     {compressed(2, 5), "less than its header"},
		"compressed, huge":      {compressed(3, 1<<33), "more than 2 GiB"},
		"fatbin, short header":  {[]byte(fatbinMagic + "\x01\x00\x08\x00" + strings.Repeat("\x00", 8)), "header of 8 bytes"},
		"fatbin, huge":          {[]byte(fatbinMagic + "\x01\x00\x10\x00" + strings.Repeat("\xff", 8)), "more than 2 GiB"},
	} {
		kind, _, err := Extent(imageSource(c.image).fill)
		require.Error(t, err, name)
		assert.Contains(t, err.Error(), c.want, name)
		if name != "PTX without NUL" {
			assert.Equal(t, KindUnknown, kind, name)
		}
	}
}

func TestExtentKeepsTheReadersError(t *testing.T) {
	_, _, err := Extent(func([]byte, uint64) error { return os.ErrPermission })
	assert.ErrorIs(t, err, os.ErrPermission)
	image := load(t, "v5.hsaco")
	_, _, err = Extent(func(buf []byte, off uint64) error {
		if off > 64 {
			return fmt.Errorf("page fault: %w", os.ErrClosed)
		}
		return imageSource(image).fill(buf, off)
	})
	assert.True(t, errors.Is(err, os.ErrClosed), "%v", err)
}

func TestExtentCountsSectionsBeyondTheHeadersField(t *testing.T) {
	image := load(t, "v5.hsaco")
	shoff, n := le.Uint64(image[40:]), le.Uint16(image[60:])
	b := append([]byte(nil), image...)
	le.PutUint16(b[60:], 0)
	le.PutUint64(b[shoff+32:], uint64(n))
	_, size, err := Extent(imageSource(b).fill)
	require.NoError(t, err)
	assert.Equal(t, uint64(len(image)), size)
}

func TestKindOfWantsTheWholeImage(t *testing.T) {
	image, err := os.ReadFile("testdata/v5.hsaco")
	require.NoError(t, err)
	kind, err := KindOf(image)
	require.NoError(t, err)
	require.Equal(t, KindHSACO, kind)
	_, err = KindOf(image[:len(image)-1])
	require.Error(t, err)
	_, err = KindOf([]byte("short"))
	require.Error(t, err)
}
