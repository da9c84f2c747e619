package hsakmt

import (
	"encoding/binary"
	"fmt"
)

// Release is a generation of the thunk's interface: what ROCr was built against.
type Release uint8

// The releases whose structures differ.
const (
	ROCm5 Release = iota // 5.2 to 6.2
	ROCm7                // 6.3 on
)

// A layout lists the fields of one of AMD's structures in order. hsakmttypes.h packs
// them to four bytes, and none needs padding, so sizes are all there is to say.
type layout []field

type field struct {
	name  string
	size  int     // bytes
	since Release // that has the field
}

// offset finds a field of the release's structure.
func (l layout) offset(r Release, name string) (at, size int) {
	for _, f := range l {
		if f.since > r {
			continue
		}
		if f.name == name {
			return at, f.size
		}
		at += f.size
	}
	return at, 0
}

// size is how many bytes the release's structure has.
func (l layout) size(r Release) int {
	at, _ := l.offset(r, "")
	return at
}

// record is one of AMD's structures in the host's memory.
type record struct {
	b       []byte
	layout  layout
	release Release
}

// recordAt is number n of an array of structures.
func recordAt(addr uint64, n int, l layout, r Release) record {
	size := uint64(l.size(r))
	return record{bytesAt(addr+uint64(n)*size, size), l, r}
}

// newRecord is recordAt with all fields zero.
func newRecord(addr uint64, n int, l layout, r Release) record {
	x := recordAt(addr, n, l, r)
	clear(x.b)
	return x
}

// bytes are those of a field; none where the release does not have it.
func (x record) bytes(name string) []byte {
	at, size := x.layout.offset(x.release, name)
	return x.b[at : at+size]
}

func (x record) set(name string, v uint64) {
	switch b := x.bytes(name); len(b) {
	case 0:
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	case 8:
		binary.LittleEndian.PutUint64(b, v)
	default:
		panic(fmt.Sprintf("hsakmt: field %s is no number", name))
	}
}

func (x record) get(name string) uint64 {
	switch b := x.bytes(name); len(b) {
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	case 8:
		return binary.LittleEndian.Uint64(b)
	default:
		panic(fmt.Sprintf("hsakmt: field %s is no number that is read", name))
	}
}

// values are fields by name.
type values map[string]uint64

func (x record) setAll(v values) {
	for name, n := range v {
		x.set(name, n)
	}
}
