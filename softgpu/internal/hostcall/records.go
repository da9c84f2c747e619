package hostcall

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A printf buffer begins with the number of bytes of records in it, and the number of bytes for which it has space.
const recordsStart = 8

// Records are the formats of a code object's printf buffer (amdhsa.printf).
type Records struct {
	byID   map[uint32]record // of OpenCL
	byHash map[uint64]string // of HIP
}

// record is a format and the sizes of its arguments in bytes, multiples of four.
type record struct {
	format string
	sizes  []uint32
}

// ParseRecords reads "id:count:size:...:format" and, of HIP, "0:0:hash,format".
func ParseRecords(texts []string) (*Records, error) {
	r := &Records{map[uint32]record{}, map[uint64]string{}}
	for _, text := range texts {
		if err := r.add(text); err != nil {
			return nil, fmt.Errorf("printf format %.60q: %w", text, err)
		}
	}
	return r, nil
}

func (r *Records) add(text string) error {
	rest := text
	next := func() (n uint32, err error) {
		field, after, ok := strings.Cut(rest, ":")
		if !ok {
			return 0, fmt.Errorf("it ends too early")
		}
		rest = after
		v, err := strconv.ParseUint(field, 10, 32)
		return uint32(v), err
	}
	id, err := next()
	if err != nil {
		return err
	}
	count, err := next()
	if err != nil {
		return err
	}
	if hash, format, ok := strings.Cut(rest, ","); ok && id == 0 && count == 0 {
		if h, err := strconv.ParseUint(hash, 16, 64); err == nil {
			r.byHash[h] = format
			return nil
		}
	}
	var f record
	for range count {
		size, err := next()
		if err != nil {
			return err
		}
		f.sizes = append(f.sizes, (size+3)&^3)
	}
	f.format = escapes.Replace(rest)
	r.byID[id] = f
	return nil
}

// escapes are what LLVM writes into the formats of OpenCL. It leaves backslashes as they are.
var escapes = strings.NewReplacer(`\72`, ":", `\a`, "\a", `\b`, "\b", `\f`, "\f", `\n`, "\n", `\r`, "\r", `\v`, "\v")

// NewRecords makes mem an empty printf buffer.
func NewRecords(mem []byte) {
	binary.LittleEndian.PutUint32(mem, 0)
	binary.LittleEndian.PutUint32(mem[4:], uint32(len(mem)-recordsStart))
}

// PrintRecords prints what a kernel has left in its printf buffer. The error is about an invalid record; the records
// before it are printed.
func (s *Services) PrintRecords(mem []byte, r *Records) error {
	used := uint64(binary.LittleEndian.Uint32(mem))
	if used > uint64(len(mem)-recordsStart) {
		return fmt.Errorf("printf buffer: %d bytes in use, of %d", used, len(mem)-recordsStart)
	}
	for data := mem[recordsStart : recordsStart+used]; len(data) >= 4; {
		n, err := s.printRecord(data, r)
		if err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

func (s *Services) printRecord(data []byte, r *Records) (length uint32, err error) {
	head := binary.LittleEndian.Uint32(data)
	if len(r.byID) == 0 {
		return s.printHashed(data, head, r)
	}
	f, ok := r.byID[head]
	if !ok {
		return 0, fmt.Errorf("printf buffer: there is no format %d", head)
	}
	length = 4
	var args [][]byte
	for _, size := range f.sizes {
		if uint64(length)+uint64(size) > uint64(len(data)) {
			return 0, fmt.Errorf("printf buffer: the arguments of format %d end past it", head)
		}
		args = append(args, data[length:length+size])
		length += size
	}
	_, _ = s.Stdout.Write(appendRecord(nil, f.format, args))
	return length, nil
}

// printHashed prints a record of HIP: flags and the record's length, then the format's hash or the format itself, then
// arguments as in messages.
func (s *Services) printHashed(data []byte, head uint32, r *Records) (length uint32, err error) {
	const toStderr, hashed = 1, 2
	length = head >> 2
	if length < 4 || uint64(length) > uint64(len(data)) {
		return 0, fmt.Errorf("printf buffer: a record of %d bytes where %d are left", length, len(data))
	}
	rest := data[4:length]
	words := make([]uint64, len(rest)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(rest[8*i:])
	}
	var text []byte
	if head&hashed != 0 {
		if len(words) == 0 {
			return 0, fmt.Errorf("printf buffer: a record without its format")
		}
		format, ok := r.byHash[words[0]]
		if !ok {
			return 0, fmt.Errorf("printf buffer: there is no format %016x", words[0])
		}
		text = formatted(format, words[1:])
	} else {
		text = printf(words)
	}
	to := s.Stdout
	if head&toStderr != 0 {
		to = s.Stderr
	}
	_, _ = to.Write(text)
	return length, nil
}

// appendRecord appends what OpenCL's printf writes: each argument by its own size, vectors as %v4f.
func appendRecord(dst []byte, format string, args [][]byte) []byte {
	return appendConverted(dst, format, func(dst []byte, text string) ([]byte, bool) {
		if len(args) == 0 {
			return dst, false
		}
		text, count := vector(text)
		arg := args[0]
		args = args[1:]
		parts := count
		if parts == 3 {
			parts = 4 // a vector of three has space for four
		}
		if len(arg)%parts != 0 {
			return dst, false
		}
		for i := range count {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendSized(dst, text, arg[i*len(arg)/parts:][:len(arg)/parts])
		}
		return dst, true
	})
}

// vector removes vN and the length of its elements from a conversion.
func vector(text string) (scalar string, count int) {
	before, after, ok := strings.Cut(text, "v")
	if !ok {
		return text, 1
	}
	digits := after[:len(after)-len(strings.TrimLeft(after, "0123456789"))]
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > 16 {
		return text, 1
	}
	return before + strings.Replace(after[len(digits):], "hl", "", 1), n
}

// appendSized appends one converted value of four or eight bytes, or a string.
func appendSized(dst []byte, text string, value []byte) []byte {
	var noStars arguments = []uint64{0}
	c, valid, _ := parse(text, &noStars)
	switch {
	case !valid:
		return append(append(dst, '%'), text...)
	case c.letter == 's':
		s, _, _ := strings.Cut(string(value), "\x00")
		return c.appendString(dst, []byte(s))
	case c.letter == 'n':
		return dst
	}
	var bits uint64
	if len(value) >= 8 {
		bits = binary.LittleEndian.Uint64(value)
		c.size = 8
	} else {
		bits = uint64(binary.LittleEndian.Uint32(value))
		c.size = min(c.size, 4)
	}
	switch c.letter {
	case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A':
		if len(value) < 8 {
			bits = math.Float64bits(float64(math.Float32frombits(uint32(bits))))
		}
		return c.appendFloat(dst, bits)
	case 'c':
		return c.pad(dst, "", string([]byte{byte(bits)}), false)
	}
	return c.appendInteger(dst, bits)
}
