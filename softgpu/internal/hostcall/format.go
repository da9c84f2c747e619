package hostcall

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// arguments are the words of a printf: numbers of eight bytes, and strings padded to eight.
type arguments []uint64

func (a *arguments) next() uint64 {
	v := (*a)[0]
	*a = (*a)[1:]
	return v
}

// text takes a string. A string without an end is all the rest.
func (a *arguments) text() []byte {
	var s []byte
	for len(*a) > 0 {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], a.next())
		if end := bytes.IndexByte(b[:], 0); end >= 0 {
			return append(s, b[:end]...)
		}
		s = append(s, b[:]...)
	}
	return s
}

// conversions are the letters that end a conversion.
const conversions = "diouxXfFeEgGaAcspn"

// printf returns what C's printf writes for a format and its arguments. Like ROCm, it stops at the first
// conversion without an argument, and at a % that begins no conversion. %n writes nothing.
func printf(words []uint64) []byte {
	args := arguments(words)
	format := string(args.text())
	return formatted(format, args)
}

// formatted is printf for a format that is not among the arguments.
func formatted(format string, args arguments) []byte {
	return appendConverted(nil, format, func(dst []byte, text string) ([]byte, bool) {
		return appendConversion(dst, text, &args)
	})
}

// appendConverted appends a format, with each conversion replaced by the output of one. It stops if one has nothing to
// convert, and at a % that begins no conversion.
func appendConverted(dst []byte, format string, one func(dst []byte, text string) ([]byte, bool)) []byte {
	for {
		literal, rest, found := strings.Cut(format, "%")
		dst = append(dst, literal...)
		if !found {
			return dst
		}
		if strings.HasPrefix(rest, "%") {
			dst = append(dst, '%')
			format = rest[1:]
			continue
		}
		end := strings.IndexAny(rest, conversions) + 1
		if end == 0 {
			return dst
		}
		var ok bool
		if dst, ok = one(dst, rest[:end]); !ok {
			return dst
		}
		format = rest[end:]
	}
}

// conversion is the part between a % and its letter.
type conversion struct {
	left, plus, space, alternate, zero bool

	width     int
	precision int // -1: none
	size      int // bytes of an integer
	letter    byte
}

// widest bounds widths and precisions, which may come from the kernel.
const widest = 1 << 20

// parse reads a conversion. Its stars take arguments. valid is false if text is not a conversion; ok is false if
// arguments are missing.
func parse(text string, args *arguments) (c conversion, valid, ok bool) {
	c = conversion{precision: -1, size: 4, letter: text[len(text)-1]}
	rest := text[:len(text)-1]
	for len(rest) > 0 && c.flag(rest[0]) {
		rest = rest[1:]
	}
	if rest, c.width, ok = number(rest, args); !ok {
		return c, false, false
	}
	if c.width < 0 {
		c.left, c.width = true, -c.width
	}
	if strings.HasPrefix(rest, ".") {
		if rest, c.precision, ok = number(rest[1:], args); !ok {
			return c, false, false
		}
		c.precision = max(c.precision, -1)
	}
	c.width, c.precision = min(c.width, widest), min(c.precision, widest)
	c.size, valid = sizes[rest]
	return c, valid, len(*args) > 0
}

// sizes are the sizes of integers in bytes, by the text before the letter.
var sizes = map[string]int{"": 4, "hh": 1, "h": 2, "l": 8, "ll": 8, "q": 8, "j": 8, "z": 8, "Z": 8, "t": 8, "L": 8}

// flag notes a flag. Grouping and other digits have no effect in the C locale.
func (c *conversion) flag(f byte) bool {
	switch f {
	case '-':
		c.left = true
	case '+':
		c.plus = true
	case ' ':
		c.space = true
	case '#':
		c.alternate = true
	case '0':
		c.zero = true
	case '\'', 'I':
	default:
		return false
	}
	return true
}

// number reads a number, or takes the argument of a star.
func number(s string, args *arguments) (rest string, n int, ok bool) {
	if strings.HasPrefix(s, "*") {
		if len(*args) == 0 {
			return "", 0, false
		}
		return s[1:], int(int32(args.next())), true
	}
	for len(s) > 0 && s[0] >= '0' && s[0] <= '9' {
		n = min(10*n+int(s[0]-'0'), widest)
		s = s[1:]
	}
	return s, n, true
}

// appendConversion appends one converted argument. ok is false if there is none.
func appendConversion(dst []byte, text string, args *arguments) (out []byte, ok bool) {
	c, valid, ok := parse(text, args)
	if !ok {
		return dst, false
	}
	if !valid {
		args.next()
		return append(append(dst, '%'), text...), true // like C's library for unknown conversions
	}
	switch c.letter {
	case 's':
		return c.appendString(dst, args.text()), true
	case 'n':
		args.next()
		return dst, true
	case 'c':
		return c.pad(dst, "", string([]byte{byte(args.next())}), false), true
	case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A':
		return c.appendFloat(dst, args.next()), true
	}
	return c.appendInteger(dst, args.next()), true
}

func (c *conversion) appendString(dst, s []byte) []byte {
	if c.precision >= 0 && len(s) > c.precision {
		s = s[:c.precision]
	}
	return c.pad(dst, "", string(s), false)
}

// pad appends sign and digits, filled to the width: with zeros between them if the format asks for that and zeros
// allows it.
func (c *conversion) pad(dst []byte, sign, digits string, zeros bool) []byte {
	fill := max(c.width-len(sign)-len(digits), 0)
	switch {
	case c.left:
		dst = append(append(dst, sign...), digits...)
		return append(dst, strings.Repeat(" ", fill)...)
	case c.zero && zeros:
		dst = append(dst, sign...)
		return append(append(dst, strings.Repeat("0", fill)...), digits...)
	}
	dst = append(dst, strings.Repeat(" ", fill)...)
	return append(append(dst, sign...), digits...)
}

// sign returns the text before a number.
func (c *conversion) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case c.plus:
		return "+"
	case c.space:
		return " "
	}
	return ""
}
