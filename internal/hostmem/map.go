package hostmem

import (
	"bytes"
	"fmt"
	"sort"
	"syscall"
)

// Region is one mapping of the process, [Lo, Hi).
type Region struct {
	Lo, Hi            uintptr
	Read, Write, Exec bool
	Private           bool   // copy on write; else shared
	Path              string // file, or "[heap]" and the like; empty for anonymous memory
}

// Map is a snapshot of the process's mappings, ordered by address. Pages of a file mapping beyond the end of the file
// are listed as readable, but accessing them raises SIGBUS.
type Map struct {
	text    []byte // of /proc/self/maps
	regions []region
}

type region struct {
	lo, hi         uintptr
	perm           perm
	pathLo, pathHi int // in Map.text
}

type perm uint8

const (
	permRead perm = 1 << iota
	permWrite
	permExec
	permPrivate
)

// Snapshot reads the current mappings of the process. Mappings that other threads change meanwhile may be missing.
func Snapshot() (*Map, error) {
	m := new(Map)
	if err := m.Refresh(); err != nil {
		return nil, err
	}
	return m, nil
}

// Refresh makes m a snapshot of the current mappings, and reuses its memory. If it fails, m is empty.
func (m *Map) Refresh() error {
	m.regions = m.regions[:0]
	if err := m.load(); err != nil {
		return fmt.Errorf("/proc/self/maps: %w", err)
	}
	return m.parse()
}

// Len returns the number of regions.
func (m *Map) Len() int { return len(m.regions) }

// Find returns the region that contains addr.
func (m *Map) Find(addr uintptr) (Region, bool) {
	i := m.index(addr)
	if i < 0 {
		return Region{}, false
	}
	r := &m.regions[i]
	return Region{
		Lo: r.lo, Hi: r.hi,
		Read:    r.perm&permRead != 0,
		Write:   r.perm&permWrite != 0,
		Exec:    r.perm&permExec != 0,
		Private: r.perm&permPrivate != 0,
		Path:    string(m.text[r.pathLo:r.pathHi]),
	}, true
}

// Window returns the largest range around addr in which every byte is readable and, if write is set, writable.
// Neighbouring regions are merged. ok is false if addr itself is not.
func (m *Map) Window(addr uintptr, write bool) (lo, hi uintptr, ok bool) {
	need := permRead
	if write {
		need |= permWrite
	}
	at := m.index(addr)
	if at < 0 || m.regions[at].perm&need != need {
		return 0, 0, false
	}
	lo, hi = m.regions[at].lo, m.regions[at].hi
	for i := at - 1; i >= 0 && m.regions[i].hi == lo && m.regions[i].perm&need == need; i-- {
		lo = m.regions[i].lo
	}
	for i := at + 1; i < len(m.regions) && m.regions[i].lo == hi && m.regions[i].perm&need == need; i++ {
		hi = m.regions[i].hi
	}
	return lo, hi, true
}

// index returns the index of the region that contains addr, or -1.
func (m *Map) index(addr uintptr) int {
	i := sort.Search(len(m.regions), func(i int) bool { return m.regions[i].hi > addr })
	if i == len(m.regions) || m.regions[i].lo > addr {
		return -1
	}
	return i
}

// proc is the folder of the process's information.
var proc = "/proc/self/"

func open(name string) (fd int, err error) {
	return syscall.Open(proc+name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
}

// load reads the text by plain system calls, since package os would start its poller.
func (m *Map) load() error {
	fd, err := open("maps")
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	m.text = m.text[:0]
	for {
		if cap(m.text)-len(m.text) < 4096 {
			m.text = append(make([]byte, 0, 2*cap(m.text)+32<<10), m.text...)
		}
		n, err := syscall.Read(fd, m.text[len(m.text):cap(m.text)])
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		if n == 0 {
			return nil
		}
		m.text = m.text[:len(m.text)+n]
	}
}

// parse fills m.regions from lines such as
//
//	7f3c1e000000-7f3c1e021000 rw-p 00000000 00:00 0      /path that may have blanks
//
// If a line begins inside the previous region (mappings changed between two reads), only the part after that region's
// end counts.
func (m *Map) parse() error {
	var last uintptr
	for at := 0; at < len(m.text); {
		end := bytes.IndexByte(m.text[at:], '\n')
		if end < 0 {
			end = len(m.text)
		} else {
			end += at
		}
		r, ok := parseLine(m.text, at, end)
		if !ok {
			m.regions = m.regions[:0]
			return fmt.Errorf("/proc/self/maps: cannot make sense of %q", m.text[at:end])
		}
		if r.lo < last {
			r.lo = last
		}
		if r.lo < r.hi {
			m.regions = append(m.regions, r)
			last = r.hi
		}
		at = end + 1
	}
	return nil
}

func parseLine(text []byte, at, end int) (r region, ok bool) {
	if r.lo, at = hex(text, at, end); at >= end || text[at] != '-' {
		return r, false
	}
	if r.hi, at = hex(text, at+1, end); at+6 > end || text[at] != ' ' {
		return r, false
	}
	for i, c := range text[at+1 : at+5] {
		if c == "rwxp"[i] {
			r.perm |= permRead << i
		}
	}
	at += 5
	for range 3 { // offset, device, inode
		for at < end && text[at] == ' ' {
			at++
		}
		for at < end && text[at] != ' ' {
			at++
		}
	}
	for at < end && text[at] == ' ' {
		at++
	}
	r.pathLo, r.pathHi = at, end
	return r, true
}

// hex reads the digits at at and returns the index after them.
func hex(text []byte, at, end int) (v uintptr, next int) {
	for ; at < end; at++ {
		switch c := text[at]; {
		case '0' <= c && c <= '9':
			v = v<<4 | uintptr(c-'0')
		case 'a' <= c && c <= 'f':
			v = v<<4 | uintptr(c-'a'+10)
		default:
			return v, at
		}
	}
	return v, at
}
