package hostcall

import (
	"math"
	"strconv"
	"strings"
)

func (c *conversion) appendFloat(dst []byte, bits uint64) []byte {
	v := math.Float64frombits(bits)
	upper := c.letter < 'a'
	letter := c.letter | 0x20
	sign := c.sign(math.Signbit(v))
	var digits string
	zeros := true
	switch abs := math.Abs(v); {
	case math.IsInf(v, 0):
		digits, zeros = "inf", false
	case math.IsNaN(v):
		digits, zeros = "nan", false
	case letter == 'a':
		sign += "0x"
		digits = c.hexadecimal(math.Float64bits(abs))
	case letter == 'g':
		digits = c.shortest(abs)
	default:
		digits = c.decimal(abs, letter, c.precisionOr(6))
	}
	if upper {
		sign, digits = strings.ToUpper(sign), strings.ToUpper(digits)
	}
	return c.pad(dst, sign, digits, zeros)
}

func (c *conversion) precisionOr(usual int) int {
	if c.precision < 0 {
		return usual
	}
	return c.precision
}

// decimal formats v as %f or %e do. Only the alternate form has a point without digits after it.
func (c *conversion) decimal(v float64, letter byte, precision int) string {
	s := strconv.FormatFloat(v, letter, precision, 64)
	if c.alternate && precision == 0 {
		mantissa, exponent, found := strings.Cut(s, "e")
		s = mantissa + "."
		if found {
			s += "e" + exponent
		}
	}
	return s
}

// shortest formats v as %g does.
func (c *conversion) shortest(v float64) string {
	precision := max(c.precisionOr(6), 1)
	_, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', precision-1, 64), "e")
	x, _ := strconv.Atoi(exponent)
	letter := byte('e')
	if x < precision && x >= -4 {
		letter, precision = 'f', precision-x
	}
	s := c.decimal(v, letter, precision-1)
	if c.alternate || !strings.Contains(s, ".") {
		return s
	}
	mantissa, exponent, found := strings.Cut(s, "e")
	mantissa = strings.TrimSuffix(strings.TrimRight(mantissa, "0"), ".")
	if found {
		mantissa += "e" + exponent
	}
	return mantissa
}

// hexadecimal formats the magnitude of a double with those bits as %a does, without 0x: one digit before the point,
// which is 0 only for denormals and zero.
func (c *conversion) hexadecimal(bits uint64) string {
	const fraction = 52
	lead, rest := uint64(1), bits&(1<<fraction-1)
	exponent := int(bits>>fraction) - 1023
	if bits>>fraction == 0 {
		lead, exponent = 0, -1022
		if rest == 0 {
			exponent = 0
		}
	}
	digits := ""
	if p := c.precision; p >= 0 && p < fraction/4 {
		drop := uint(fraction - 4*p)
		all := lead<<fraction | rest
		half, low := uint64(1)<<(drop-1), all&(1<<drop-1)
		all >>= drop
		if low > half || low == half && all&1 != 0 {
			all++
		}
		lead = all >> (4 * p)
		if p > 0 {
			digits = strconv.FormatUint(all&(1<<(4*p)-1)|1<<(4*p), 16)[1:]
		}
	} else {
		digits = strconv.FormatUint(rest|1<<fraction, 16)[1:]
		if p < 0 {
			digits = strings.TrimRight(digits, "0")
		} else {
			digits += strings.Repeat("0", p-len(digits))
		}
	}
	s := strconv.FormatUint(lead, 16)
	if digits != "" || c.alternate {
		s += "."
	}
	s += digits + "p"
	if exponent >= 0 {
		s += "+"
	}
	return s + strconv.Itoa(exponent)
}
