// Package count writes numbers of things for messages: "1 block", "2 blocks".
package count

import "strconv"

// integer is an integer type.
type integer interface {
	~int | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Of returns n with the noun one, or with its plural if n is not 1. Without a plural, Of adds an s.
func Of[N integer](n N, one string, plural ...string) string {
	text := strconv.FormatInt(int64(n), 10)
	if n > 0 {
		text = strconv.FormatUint(uint64(n), 10)
	}
	switch {
	case n == 1:
		return text + " " + one
	case len(plural) != 0:
		return text + " " + plural[0]
	}
	return text + " " + one + "s"
}
