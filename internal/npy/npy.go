package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Array is an array in row order: the last index varies fastest.
type Array struct {
	Element string   // numpy's type without the byte order: "f4", "i8", "u1", "b1", "c8"
	Shape   []uint64 // empty: one element
	Bytes   []byte
}

const (
	magic      = "\x93NUMPY"
	mostHeader = 1 << 16 // numpy's own limit is 10,000 bytes
)

var element = regexp.MustCompile(`^(b1|[iu][1248]|f[248]|c8|c16)$`)

// Size returns the size of an element in bytes. It fails for unknown elements.
func Size(name string) (uint64, error) {
	if !element.MatchString(name) {
		return 0, fmt.Errorf("elements of type %q: known are b1, i1 to i8, u1 to u8, f2 to f8, c8 and c16", name)
	}
	n, err := strconv.ParseUint(name[1:], 10, 8)
	return n, err
}

// Bytes returns the size of an array in bytes. It fails for unknown elements, and if the size exceeds the address
// space.
func Bytes(name string, shape []uint64) (uint64, error) {
	n, err := Size(name)
	if err != nil {
		return 0, err
	}
	if slices.Contains(shape, 0) {
		return 0, nil
	}
	for _, length := range shape {
		high, low := bits.Mul64(n, length)
		if high != 0 || low > math.MaxInt64 {
			return 0, fmt.Errorf("an array of shape %v is larger than the address space", shape)
		}
		n = low
	}
	return n, nil
}

// The header is a Python dictionary, which numpy always writes in this form.
var (
	descr   = regexp.MustCompile(`'descr': *'([<>|=])(\w+)'`)
	fortran = regexp.MustCompile(`'fortran_order': *(True|False)`)
	shape   = regexp.MustCompile(`'shape': *\(([\d, ]*)\)`)
)

// Read reads an array of at most most bytes.
func Read(r io.Reader, most uint64) (Array, error) {
	var a Array
	header, err := readHeader(r)
	if err != nil {
		return a, err
	}
	d, f, s := descr.FindStringSubmatch(header), fortran.FindStringSubmatch(header), shape.FindStringSubmatch(header)
	switch {
	case d == nil:
		return a, fmt.Errorf("npy: the header has no type of numbers: %.200q", strings.TrimSpace(header))
	case f == nil || s == nil:
		return a, fmt.Errorf("npy: the header has no fortran_order, or no shape: %.200q", strings.TrimSpace(header))
	case f[1] == "True":
		return a, fmt.Errorf("npy: the array is in columns (fortran_order): numpy.ascontiguousarray makes a copy in rows")
	case d[1] == ">":
		return a, fmt.Errorf("npy: the array has the other byte order: array.astype(array.dtype.newbyteorder('=')) makes a copy")
	}
	a.Element = d[2]
	for _, length := range strings.FieldsFunc(s[1], func(c rune) bool { return c == ',' || c == ' ' }) {
		n, err := strconv.ParseUint(length, 10, 63)
		if err != nil {
			return a, fmt.Errorf("npy: shape (%s): %w", s[1], err)
		}
		a.Shape = append(a.Shape, n)
	}
	size, err := Bytes(a.Element, a.Shape)
	if err != nil {
		return a, fmt.Errorf("npy: %w", err)
	}
	if size > most {
		return a, fmt.Errorf("npy: the array has %d bytes; at most %d are read", size, most)
	}
	a.Bytes, err = io.ReadAll(io.LimitReader(r, int64(size)))
	if err == nil && uint64(len(a.Bytes)) < size {
		err = fmt.Errorf("npy: the file has %d bytes of the array's %d", len(a.Bytes), size)
	}
	return a, err
}

func readHeader(r io.Reader) (string, error) {
	var start [len(magic) + 2]byte
	if n, err := io.ReadFull(r, start[:]); err != nil || string(start[:len(magic)]) != magic {
		if n == 0 {
			return "", errors.New("not a numpy file (.npy): it is empty")
		}
		return "", fmt.Errorf("not a numpy file (.npy): it starts with %q", start[:min(n, len(magic))])
	}
	var length uint32
	switch version := start[len(magic)]; version {
	case 1:
		var short uint16
		if err := binary.Read(r, binary.LittleEndian, &short); err != nil {
			return "", fmt.Errorf("npy: the file ends in its header")
		}
		length = uint32(short)
	case 2, 3:
		if err := binary.Read(r, binary.LittleEndian, &length); err != nil {
			return "", fmt.Errorf("npy: the file ends in its header")
		}
	default:
		return "", fmt.Errorf("npy: format version %d, known are 1 to 3", version)
	}
	if length > mostHeader {
		return "", fmt.Errorf("npy: a header of %d bytes", length)
	}
	header := make([]byte, length)
	if _, err := io.ReadFull(r, header); err != nil {
		return "", fmt.Errorf("npy: the file ends in its header")
	}
	return string(header), nil
}

// Write writes an array in version 1 of the format.
func (a *Array) Write(w io.Writer) error {
	order := "<"
	if strings.HasSuffix(a.Element, "1") {
		order = "|"
	}
	lengths := make([]string, len(a.Shape))
	for i, n := range a.Shape {
		lengths[i] = strconv.FormatUint(n, 10)
	}
	tuple := strings.Join(lengths, ", ")
	if len(lengths) == 1 {
		tuple += ","
	}
	header := fmt.Sprintf("{'descr': '%s%s', 'fortran_order': False, 'shape': (%s), }", order, a.Element, tuple)
	// The data begins at a multiple of 64 bytes, after padding with spaces and a newline.
	const before = len(magic) + 2 + 2
	header += strings.Repeat(" ", 63-(before+len(header))%64) + "\n"
	if len(header) > math.MaxUint16 {
		return fmt.Errorf("npy: a shape of %d dimensions", len(a.Shape))
	}
	text := append([]byte(magic+"\x01\x00"), byte(len(header)), byte(len(header)>>8))
	if _, err := w.Write(append(text, header...)); err != nil {
		return err
	}
	_, err := w.Write(a.Bytes)
	return err
}
