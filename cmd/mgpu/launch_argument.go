package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/input"
	"github.com/mgpu-runtime/mgpu/internal/npy"
)

// argument is a parsed --arg.
type argument struct {
	text   string
	number []byte // of a number

	isArray, memref bool
	input, output   string // files; empty: none
	array           npy.Array
	address         uint64 // in device memory; 0: no bytes
}

// elements has MLIR's names of the elements of numpy's files.
var elements = map[string]string{
	"i1": "b1", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8",
	"f16": "f2", "f32": "f4", "f64": "f8",
}

var arrayType = regexp.MustCompile(`^(\w+)\[((?:\d+(?:x\d+)*)?)\]$`)

// parseArgument reads an argument: "f32:2.5", "in:x.npy", "memref-out:f32[4x4]:y.npy".
func parseArgument(text string) (argument, error) {
	v := argument{text: text}
	kind, rest, _ := strings.Cut(text, ":")
	kind, v.memref = strings.CutPrefix(kind, "memref-")
	switch kind {
	case "in":
		v.isArray, v.input = true, rest
	case "inout":
		v.isArray = true
		v.input, v.output, _ = strings.Cut(rest, ":")
		if v.output == "" {
			return v, errors.New("expected two files, as inout:x.npy:y.npy")
		}
	case "out", "tmp":
		v.isArray = true
		declared, file, _ := strings.Cut(rest, ":")
		if v.output = file; (file == "") == (kind == "out") {
			return v, errors.New("expected out:f32[4]:y.npy, with a file, or tmp:f32[4], without")
		}
		return v, v.declare(declared)
	default:
		if v.memref {
			return v, errors.New("expected memref-in, memref-out, memref-inout or memref-tmp")
		}
		var err error
		v.number, err = number(kind, rest)
		return v, err
	}
	if v.input == "" {
		return v, errors.New("expected a file, as in:x.npy")
	}
	return v, nil
}

// declare makes a new array from "f32[64x64]".
func (v *argument) declare(text string) error {
	m := arrayType.FindStringSubmatch(text)
	if m == nil || elements[m[1]] == "" {
		return fmt.Errorf("array %q: expected f32[64] or i8[4x4], with elements of i1 to i64, u8 to u64, f16 to f64", text)
	}
	v.array.Element = elements[m[1]]
	for _, length := range strings.FieldsFunc(m[2], func(c rune) bool { return c == 'x' }) {
		n, err := strconv.ParseUint(length, 10, 63)
		if err != nil {
			return fmt.Errorf("array %q: %s is too long for an array", text, length)
		}
		v.array.Shape = append(v.array.Shape, n)
	}
	size, err := npy.Bytes(v.array.Element, v.array.Shape)
	if err != nil {
		return err
	}
	if size > mostRead {
		return fmt.Errorf("an array of %d bytes: at most 2 GiB", size)
	}
	v.array.Bytes = make([]byte, size)
	return nil
}

// read reads the input file.
func (v *argument) read() error {
	f, err := input.Open(v.input)
	if err != nil {
		return err
	}
	defer f.Close()
	if v.array, err = npy.Read(f, mostRead); err != nil {
		return fmt.Errorf("%s: %w", v.input, err)
	}
	return nil
}

// words returns the kernel's arguments for the value: one, or a memref's descriptor.
func (v *argument) words() [][]byte {
	if !v.isArray {
		return [][]byte{v.number}
	}
	word := func(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }
	all := [][]byte{word(v.address)}
	if !v.memref {
		return all
	}
	all = append(all, word(v.address), word(0))
	for _, n := range v.array.Shape {
		all = append(all, word(n))
	}
	for i := range v.array.Shape {
		stride := uint64(1)
		for _, n := range v.array.Shape[i+1:] {
			stride *= n
		}
		all = append(all, word(stride))
	}
	return all
}

// number converts "2.5" of type f32 to bytes.
func number(kind, text string) ([]byte, error) {
	bits, err := strconv.Atoi(strings.TrimLeft(kind, "fiu"))
	known := err == nil && (elements[kind] != "" && kind != "f16")
	if !known {
		return nil, fmt.Errorf("%q is not a kind of argument: in, out, inout, tmp, memref-..., or a number of i1 to i64, u8 to u64, f32, f64", kind)
	}
	var n uint64
	switch kind[0] {
	case 'f':
		f, err := strconv.ParseFloat(text, bits)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number of type %s", text, kind)
		}
		if n = math.Float64bits(f); bits == 32 {
			n = uint64(math.Float32bits(float32(f)))
		}
	case 'u':
		if n, err = strconv.ParseUint(text, 0, bits); err != nil {
			return nil, fmt.Errorf("%q is not a number of type %s", text, kind)
		}
	default:
		i, err := strconv.ParseInt(text, 0, max(bits, 2))
		if err != nil || bits == 1 && i != 0 && i != 1 {
			return nil, fmt.Errorf("%q is not a number of type %s", text, kind)
		}
		n = uint64(i)
	}
	return binary.LittleEndian.AppendUint64(nil, n)[:max(bits/8, 1)], nil
}

// print writes the elements as text, one line per row.
func (v *argument) print(w io.Writer) error {
	a := &v.array
	size, err := npy.Size(a.Element)
	if err != nil {
		return err
	}
	row := uint64(1)
	if n := len(a.Shape); n > 0 {
		row = a.Shape[n-1]
	}
	var line strings.Builder
	for i := uint64(0); i*size < uint64(len(a.Bytes)); i++ {
		line.WriteString(elementText(a.Element, a.Bytes[i*size:][:size]))
		if (i+1)%row == 0 {
			line.WriteByte('\n')
		} else {
			line.WriteByte(' ')
		}
	}
	_, err = io.WriteString(w, line.String())
	return err
}

// elementText returns a number as text; its bytes if the kind has no text form.
func elementText(kind string, b []byte) string {
	var word [8]byte
	copy(word[:], b)
	n := binary.LittleEndian.Uint64(word[:])
	switch unused := 64 - 8*len(b); {
	case kind == "f2":
		return strconv.FormatFloat(half(uint16(n)), 'g', 5, 64) // five digits tell all of them apart
	case kind == "f4":
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(n))), 'g', -1, 32)
	case kind == "f8":
		return strconv.FormatFloat(math.Float64frombits(n), 'g', -1, 64)
	case kind[0] == 'i':
		return strconv.FormatInt(int64(n<<unused)>>unused, 10)
	case kind[0] == 'u' || kind[0] == 'b':
		return strconv.FormatUint(n, 10)
	}
	return fmt.Sprintf("%#x", b)
}

// half converts a number of 16 bits.
func half(bits uint16) float64 {
	mantissa, exponent := float64(bits&0x3ff), int(bits>>10&0x1f)
	x := math.Ldexp(mantissa+0x400, exponent-25)
	switch {
	case exponent == 0:
		x = math.Ldexp(mantissa, -24)
	case exponent == 31 && mantissa == 0:
		x = math.Inf(1)
	case exponent == 31:
		return math.NaN()
	}
	return math.Copysign(x, float64(int16(bits)))
}
