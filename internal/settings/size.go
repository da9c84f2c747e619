package settings

import (
	"strconv"
	"strings"
)

var units = map[string]uint64{
	"": 1, "B": 1, "K": 1 << 10, "KB": 1e3, "KiB": 1 << 10, "M": 1 << 20, "MB": 1e6, "MiB": 1 << 20,
	"G": 1 << 30, "GB": 1e9, "GiB": 1 << 30, "T": 1 << 40, "TB": 1e12, "TiB": 1 << 40,
}

// ParseSize reads a number of bytes with or without a unit, such as "4GiB".
func ParseSize(text string) (bytes uint64, ok bool) {
	digits := strings.TrimRightFunc(text, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	size, known := units[strings.TrimSpace(text[len(digits):])]
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || !known || n < 0 || n*float64(size) >= 1<<62 {
		return 0, false
	}
	return uint64(n * float64(size)), true
}
