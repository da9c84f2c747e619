package hostcall

import (
	"strconv"
	"strings"
)

// bases has the base of each conversion of unsigned integers.
var bases = map[byte]int{'o': 8, 'u': 10, 'x': 16, 'X': 16, 'p': 16}

func (c *conversion) appendInteger(dst []byte, v uint64) []byte {
	var digits, sign string
	if c.letter == 'p' {
		c.size = 8
	}
	v &= ^uint64(0) >> (64 - 8*c.size)
	if c.letter == 'd' || c.letter == 'i' {
		n := int64(v<<(64-8*c.size)) >> (64 - 8*c.size)
		digits, sign = strings.TrimPrefix(strconv.FormatInt(n, 10), "-"), c.sign(n < 0)
	} else {
		if c.letter == 'p' {
			if v == 0 {
				c.precision = -1
				return c.pad(dst, "", "(nil)", false)
			}
			c.alternate, sign = true, c.sign(false)
		}
		digits = strconv.FormatUint(v, bases[c.letter])
	}
	if v == 0 && c.precision == 0 {
		digits = ""
	}
	if missing := c.precision - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	if c.alternate {
		switch c.letter {
		case 'o':
			if !strings.HasPrefix(digits, "0") {
				digits = "0" + digits
			}
		case 'x', 'X', 'p':
			if v != 0 {
				sign += "0x"
			}
		}
	}
	if c.letter == 'X' {
		digits, sign = strings.ToUpper(digits), strings.ToUpper(sign)
	}
	return c.pad(dst, sign, digits, c.precision < 0)
}
