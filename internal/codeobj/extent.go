package codeobj

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// maxExtent bounds the length of an image: 2 GiB.
const maxExtent = 2 << 30

// Extent returns the kind and the length in bytes of the image that read reads, from the image's own headers and
// tables. The length of PTX includes its terminating NUL.
//
// read fills all of buf with the image's bytes from offset off, or fails. Extent reads at most a page at a time, and no
// bytes outside of the length that the image claims. Only for PTX it may read beyond the NUL; a failure there is taken
// as the end of readable memory, and a shorter read is tried.
func Extent(read func(buf []byte, off uint64) error) (Kind, uint64, error) {
	return source{read: read}.extent()
}

func (s source) extent() (Kind, uint64, error) {
	var magic [8]byte
	n, err := s.prefix(magic[:], 0)
	if n < 4 {
		if n == 0 {
			return KindUnknown, 0, fmt.Errorf("not a code object: nothing can be read: %w", err)
		}
		return KindUnknown, 0, fmt.Errorf("not a code object: starts with % x, and no more can be read: %w", magic[:n], err)
	}
	for _, f := range formats {
		if string(magic[:len(f.magic)]) != f.magic {
			continue
		}
		kind, size, err := f.extent(s)
		if err != nil {
			return KindUnknown, 0, err
		}
		if size > maxExtent {
			return KindUnknown, 0, fmt.Errorf("%v claims %d bytes: more than 2 GiB is not plausible", kind, size)
		}
		return kind, size, nil
	}
	if isText(magic[0]) {
		if size, err := ptxExtent(s); err != errNotPTX {
			return KindPTX, size, err
		}
	}
	if is := NotBinary(magic[:n]); is != "" && !strings.HasPrefix(is, "PTX") {
		return KindUnknown, 0, fmt.Errorf("not a code object, but %s", is)
	}
	return KindUnknown, 0, fmt.Errorf("not a code object: starts with % x", magic[:n])
}

// KindOf returns the kind of the image in a slice. The error says why the slice is not an image, or that it ends before the
// image does.
func KindOf(image []byte) (Kind, error) {
	kind, size, err := imageSource(image).extent()
	if err == nil && size > uint64(len(image)) {
		err = fmt.Errorf("%v of %d bytes, of which %d are there", kind, size, len(image))
	}
	return kind, err
}

// formats are recognized by their first bytes. PTX has no magic and is not in the list.
var formats = []struct {
	magic  string
	extent func(source) (Kind, uint64, error)
}{
	{"\x7fELF", elfExtent},
	{bundleMagic[:8], bundleExtent},
	{compressedMagic, compressedExtent},
	{fatbinMagic, fatbinExtent},
}

// source is an image that may end anywhere: bytes that are there, or memory that read reads.
type source struct {
	image []byte // used if read is nil
	read  func(buf []byte, off uint64) error
}

// bytes returns n bytes of the image from off. They may be the image's own.
func (s source) bytes(off, n uint64) ([]byte, error) {
	if s.read != nil {
		b := make([]byte, n)
		return b, s.read(b, off)
	}
	if off > uint64(len(s.image)) || n > uint64(len(s.image))-off {
		return nil, fmt.Errorf("%w: the image has %d bytes", io.ErrUnexpectedEOF, len(s.image))
	}
	return s.image[off : off+n : off+n], nil
}

// fill copies len(buf) bytes of the image from off.
func (s source) fill(buf []byte, off uint64) error {
	if s.read != nil {
		return s.read(buf, off)
	}
	b, err := s.bytes(off, uint64(len(buf)))
	copy(buf, b)
	return err
}

// prefix reads as many bytes into buf as are readable, and returns why it stopped early.
func (s source) prefix(buf []byte, off uint64) (int, error) {
	done := 0
	var last error
	for chunk := len(buf); done < len(buf) && chunk > 0; {
		chunk = min(chunk, len(buf)-done)
		if err := s.fill(buf[done:done+chunk], off+uint64(done)); err != nil {
			last = err
			chunk /= 2
			continue
		}
		done += chunk
	}
	if done == len(buf) {
		return done, nil
	}
	return done, last
}

// imageSource reads an image that is complete.
func imageSource(image []byte) source { return source{image: image} }

var le = binary.LittleEndian

// end returns off+size, or an impossible length if the sum overflows.
func end(off, size uint64) uint64 {
	if off+size < off {
		return ^uint64(0)
	}
	return off + size
}
