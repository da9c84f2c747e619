//go:build cgo

package vendor

import "strings"

// Terminated makes a C string of a name, in space if that is large enough. It is not
// ok if the name is none that C could pass: empty, or with a NUL in it.
func Terminated(space []byte, name string) (text []byte, ok bool) {
	return append(append(space[:0], name...), 0), name != "" && strings.IndexByte(name, 0) < 0
}
